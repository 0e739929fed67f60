import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ProcessOptions, type ProcessResult, runProcess, startProcess } from "@massgen/exec";
import { isAlive } from "@massgen/testing/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exec, sourceHost } from "../source-host.js";
import { until } from "../until.js";

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8" };
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "exec-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bash = (command: string, options: Partial<ProcessOptions> = {}): Promise<ProcessResult> =>
  runProcess({ argv: ["/bin/bash", "-c", command], cwd: folder, env, timeoutMs: 20_000, ...options });

const pidsIn = (result: ProcessResult): readonly number[] => [...result.both.head.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));

describe.skipIf(process.platform === "win32")("runProcess", () => {
  it("FS-03: answers with what was printed, in order of arrival, and with the exit code", async () => {
    const result = await bash("echo out; echo err >&2; exit 3");
    expect(result).toMatchObject({ exitCode: 3, signal: null, endedBy: "itself", survivors: [], spilledTo: null });
    expect(result.stdout.head).toBe("out\n");
    expect(result.stderr.head).toBe("err\n");
    expect(result.both.totalBytes).toBe(8);
  });

  it("FS-03: standard input is closed, so nothing waits for it", async () => {
    expect((await bash("cat")).both.head).toBe("");
    expect((await bash('read -p "Proceed? " x; echo "[$x]"')).stdout.head).toBe("[]\n");
  });

  it("FS-03: the program is started without a shell in between, so arguments arrive as they are", async () => {
    const result = await runProcess({ argv: ["printf", "%s|", "a b", "$HOME", "*", ""], cwd: folder, env, timeoutMs: 20_000 });
    expect(result.stdout.head).toBe("a b|$HOME|*||");
  });

  it("FS-03: a signal that ends it is told, not taken for success", async () => {
    expect(await bash("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", endedBy: "itself" });
  });

  it("FS-03: bytes that are no UTF-8 come out as valid text", async () => {
    expect((await bash("printf '\\377\\376 ok'")).stdout.head).toBe("\uFFFD\uFFFD ok");
  });

  it("a program that does not exist is exit code 127; a folder that does not exist is an error that names it", async () => {
    const missing = await runProcess({ argv: ["no-such-program"], cwd: folder, env, timeoutMs: 20_000 });
    expect(missing.exitCode).toBe(127);
    await expect(bash("true", { cwd: join(folder, "nowhere") })).rejects.toThrow(join(folder, "nowhere"));
  });

  it("T4.12: what it leaves running is ended with it, though it holds the pipes", async () => {
    const result = await bash("sleep 300 & echo pid $!; (setsid sleep 301 & echo pid $!)");
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    const pids = pidsIn(result);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it("T4.2: the deadline ends the whole tree", async () => {
    const result = await bash("sleep 300 & echo pid $!; sleep 300", { timeoutMs: 1_000 });
    expect(result).toMatchObject({ endedBy: "deadline", signal: "SIGTERM", survivors: [] });
    expect(pidsIn(result).filter(isAlive)).toEqual([]);
  });

  it("FS-03: a tree that forks, leaves its session, ignores SIGTERM and prints for ever is gone 5 s after its limit", async () => {
    const result = await bash(
      `trap '' TERM; echo pid $$
       (setsid bash -c 'trap "" TERM; echo pid $$; setsid sleep 302 & echo pid $!; while :; do echo x; done' &)
       while :; do sleep 0.2; done`,
      { timeoutMs: 1_000, outputLimitBytes: null },
    );
    expect(result).toMatchObject({ endedBy: "deadline", signal: "SIGKILL", survivors: [] });
    expect(result.wallMs).toBeLessThan(1_000 + 5_000);
    expect(pidsIn(result)).toHaveLength(3);
    expect(pidsIn(result).filter(isAlive)).toEqual([]);
  }, 20_000);

  it("a command that ends politely on SIGTERM keeps its last words", async () => {
    const result = await bash("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done", { timeoutMs: 1_000 });
    expect(result).toMatchObject({ endedBy: "deadline", exitCode: 7 });
    expect(result.stdout.head).toBe("up\nbye\n");
  });

  it("an aborted signal ends it, and a signal aborted before lets nothing start", async () => {
    const controller = new AbortController();
    const running = await startProcess({
      argv: ["/bin/bash", "-c", "echo up; sleep 300"],
      cwd: folder,
      env,
      timeoutMs: null,
      signal: controller.signal,
      onChunk: () => controller.abort(),
    });
    expect(await running.ended).toMatchObject({ endedBy: "abort", survivors: [] });
    await expect(bash(`touch ${folder}/never`, { signal: AbortSignal.abort(new Error("no more")) })).rejects.toThrow("no more");
    await expect(stat(join(folder, "never"))).rejects.toThrow();
  });

  it("end() may be called twice and by many", async () => {
    const running = await startProcess({ argv: ["sleep", "300"], cwd: folder, env, timeoutMs: null });
    const [first, second] = await Promise.all([running.end(), running.end()]);
    expect(first).toBe(second);
    expect(first.endedBy).toBe("kill");
    await until(() => !isAlive(running.pid));
  });
});

describe.skipIf(process.platform === "win32")("output of any length", () => {
  it("T4.6: an endless stream is ended at the limit", async () => {
    const result = await bash("yes", { outputLimitBytes: 5_000_000 });
    expect(result.endedBy).toBe("output_limit");
    expect(result.stdout.head.length + result.stdout.tail.length).toBeLessThanOrEqual(256 * 1024);
  });

  it("T4.6: a gigabyte leaves the host's memory as it was", async () => {
    // In a host of its own: other tests of this process use memory too.
    const host = `
      import { runProcess } from "@massgen/exec";
      const print = (bytes) => runProcess({ argv: ["head", "-c", bytes, "/dev/zero"], cwd: "/", env: { PATH: process.env.PATH }, timeoutMs: null, outputLimitBytes: null });
      await print("1000000");
      const before = process.resourceUsage().maxRSS;
      const { stdout } = await print("1000000000");
      console.log(JSON.stringify({ totalBytes: stdout.totalBytes, omittedBytes: stdout.omittedBytes, grownMiB: (process.resourceUsage().maxRSS - before) / 1024 }));`;
    const { stdout } = await promisify(execFile)(process.execPath, [...sourceHost, host], { cwd: exec });
    const told = JSON.parse(stdout) as { totalBytes: number; omittedBytes: number; grownMiB: number };
    expect(told).toMatchObject({ totalBytes: 1_000_000_000, omittedBytes: 1_000_000_000 - 256 * 1024 });
    expect(told.grownMiB).toBeLessThan(64);
  }, 60_000);

  it("beginning and end are kept, cut between characters, and the rest is counted", async () => {
    const result = await bash("for i in $(seq 1 1000); do printf '☂%d\\n' $i; done", { keepBytes: 101 });
    expect(result.stdout.head.startsWith("☂1\n☂2\n")).toBe(true);
    expect(result.stdout.tail.endsWith("☂999\n☂1000\n")).toBe(true);
    expect(result.stdout.head + result.stdout.tail).not.toContain("\uFFFD");
    expect(result.stdout.omittedBytes).toBe(result.stdout.totalBytes - 101);
  });

  it("what does not fit goes to a file, up to its cap", async () => {
    const spill = { folder: join(folder, "results"), fileName: "a.txt", aboveBytes: 100, capBytes: 5_000 };
    const short = await bash("echo short", { keepBytes: 100, spill });
    expect(short.spilledTo).toBeNull();
    await expect(readdir(spill.folder)).rejects.toThrow();
    const long = await bash("seq 1 10000", { keepBytes: 100, spill });
    expect(long.spilledTo).toBe(join(spill.folder, "a.txt"));
    const file = await readFile(join(spill.folder, "a.txt"), "utf8");
    expect(file.startsWith("1\n2\n3\n")).toBe(true);
    expect(file).toHaveLength(5_000);
  });

  it("no file is written through a link or over an existing one", async () => {
    const outside = join(folder, "outside");
    await mkdir(outside);
    await symlink(outside, join(folder, "linked"));
    const linked = await bash("seq 1 10000", {
      keepBytes: 100,
      spill: { folder: join(folder, "linked"), fileName: "a.txt", aboveBytes: 100, capBytes: 5_000 },
    });
    expect(linked).toMatchObject({ exitCode: 0, spilledTo: null });
    await symlink(join(outside, "target"), join(folder, "b.txt"));
    const planted = await bash("seq 1 10000", { keepBytes: 100, spill: { folder, fileName: "b.txt", aboveBytes: 100, capBytes: 5_000 } });
    expect(planted.spilledTo).toBeNull();
    expect(await readdir(outside)).toEqual([]);
  });
});
