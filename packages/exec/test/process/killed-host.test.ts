import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isAlive } from "@massgen/testing/node";
import { describe, expect, it } from "vitest";
import { sandbox } from "../bench.js";
import { exec, sourceHost } from "../source-host.js";
import { until } from "../until.js";

/** A program that starts a command in an own session, one in the group, and tells their pids. */
const HOST = `
import { startProcess } from "@massgen/exec";
const tell = (stream, chunk) => process.stdout.write(chunk);
await startProcess({
  argv: ["/bin/bash", "-c", "trap '' TERM; echo pid $$; sleep 300 & echo pid $!; setsid sleep 301 & echo pid $!; echo ready; wait"],
  cwd: "/", env: { PATH: process.env.PATH }, timeoutMs: null, onChunk: tell,
});
`;

describe.skipIf(process.platform !== "linux")("a host that dies", () => {
  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "%s to it leaves no child behind",
    async (signal) => {
      const host = spawn(process.execPath, [...sourceHost, HOST], { cwd: exec, stdio: ["ignore", "pipe", "inherit"] });
      const pids: number[] = [];
      for await (const line of createInterface({ input: host.stdout })) {
        if (line === "ready") break;
        pids.push(Number(line.replace("pid ", "")));
      }
      expect(pids.map(isAlive)).toEqual([true, true, true]);
      const exited = once(host, "exit");
      host.kill(signal);
      await exited;
      await until(() => !pids.some(isAlive));
    },
    30_000,
  );
});

/** The same with the command in the sandbox, where nothing can leave. */
const SANDBOXED = `
import { homedir } from "node:os";
import { createCommandRunner, findSandbox } from "@massgen/exec";
const [folder] = process.argv.slice(1);
const { build } = await findSandbox({ platform: "linux", path: process.env.PATH, hostHome: homedir() });
const runner = createCommandRunner({
  sandbox: build(folder + "/home"), workspace: folder, home: folder + "/home", network: "none",
  grants: () => ({ writable: [], readable: [], protected: [], hidden: [] }),
  environment: { host: process.env, hostHome: homedir(), runId: "r", portBase: null, extra: {}, passthrough: [], autoVenv: false },
});
await runner.start({
  command: "trap '' TERM; setsid env -i /bin/sleep 4343.4 & echo ready; wait", workDir: ".", timeoutMs: null,
  onChunk: (stream, chunk) => process.stdout.write(chunk),
});
`;

describe.skipIf(!sandbox.found)(
  `a host that dies, with a command in the sandbox${sandbox.found ? "" : `: skipped: ${sandbox.reason}`}`,
  () => {
    it("SIGKILL to it leaves no child behind, not even one without session and environment", async () => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), "exec-killed-")));
      const sleepers = (): number => execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).split("/bin/sleep 4343.4").length - 1;
      try {
        const host = spawn(process.execPath, [...sourceHost, SANDBOXED, folder], { cwd: exec, stdio: ["ignore", "pipe", "inherit"] });
        await once(host.stdout, "data");
        await until(() => sleepers() > 0);
        host.kill("SIGKILL");
        await until(() => sleepers() === 0);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }, 30_000);
  },
);
