import { lutimes, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { type FakeIoOptions, fakeIo } from "../fake-io.js";
import { playedRun } from "../played-run.js";
import { writtenLog } from "../written-log.js";

let folder = "";
let old = "";
const logs = (): Promise<string[]> =>
  readdir(join(folder, ".massgen/massgen_logs")).then((names) => names.filter((name) => name.startsWith("log_")));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cli-clean-"));
  const { records } = playedRun(["ada"], { question: "Old question" }).at(1).answer("ada", "x");
  old = await writtenLog(folder, records);
  const long = new Date(Date.now() - 90 * 86_400_000);
  for (const name of await readdir(old, { recursive: true })) await lutimes(join(old, name), long, long);
  await lutimes(old, long, long);
  await writtenLog(folder, records);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function clean(args: readonly string[], options: Partial<FakeIoOptions> = {}) {
  const { io, out, err } = fakeIo({ cwd: folder, ...options });
  const code = await runCli(["clean", ...args], io, createSession());
  return { code, out: out(), err: err() };
}

describe("massgen clean", () => {
  it("a dry run shows what is old, and removes nothing", async () => {
    const { code, out } = await clean(["--dry-run"]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${basename(old)} +90 d ago +[\\d.]+ KB +Old question$`, "m"));
    expect(out).toMatch(/^1 to remove, .* 1 stays/m);
    expect(await logs()).toHaveLength(2);
    expect(JSON.parse((await clean(["--dry-run", "--json", "--older-than", "8w"])).out)).toMatchObject({
      dry_run: true,
      removed: [{ log_dir: old }],
      kept: 1,
    });
  });

  it("asks, and a no or nobody there removes nothing", async () => {
    expect(await clean([], { answer: "n" })).toMatchObject({ code: 0, err: expect.stringContaining("Nothing was removed") });
    expect(await clean([], { stdin: "" })).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    expect(await logs()).toHaveLength(2);
    expect(await clean([], { answer: "y" })).toMatchObject({ code: 0, out: expect.stringMatching(/^Removed 1, /) });
    expect(await logs()).not.toContain(basename(old));
  });

  it("what is new stays, however little room there shall be", async () => {
    await clean(["--max-size", "0KB", "--yes"]);
    expect(await logs()).toHaveLength(1);
    expect(await clean(["--yes"])).toMatchObject({ code: 0, err: expect.stringContaining("Nothing to remove") });
  });

  it.each([
    [["--older-than", "soon"], "--older-than takes"],
    [["--max-size", "small"], "--max-size takes"],
    [["everything"], "unexpected argument"],
  ])("massgen clean %j is a usage error", async (args, message) => {
    expect(await clean(args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
    expect(await logs()).toHaveLength(2);
  });
});
