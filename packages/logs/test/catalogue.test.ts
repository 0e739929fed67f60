import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLogInUse, listLogs, logNames, readLogEntry, readRunView, takeLock, turnFolders } from "../src/index.js";
import { frozenRun } from "./frozen-logs.js";
import { playRun } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

const lockOf = (pid: number, started: string | null = null): string => JSON.stringify({ pid, host: hostname(), started });

describe("isLogInUse", () => {
  it.each(["", "attempt_2", "turn_3", "turn_3/attempt_1"])("a living process that writes in %j holds the whole log", async (leaf) => {
    const root = await tempFolder();
    await mkdir(join(root, leaf), { recursive: true });
    expect(await isLogInUse(root)).toBe(false);
    const lock = takeLock(join(root, leaf, "events.jsonl"));
    expect(await isLogInUse(root)).toBe(true);
    lock.release();
    expect(await isLogInUse(root)).toBe(false);
  });

  it.each([
    ["of a dead process", lockOf(2 ** 22 + 1), false],
    ["of an earlier process with the number of this one", lockOf(process.pid, "1"), false],
    ["torn", '{"pid":', false],
    ["of another machine", JSON.stringify({ pid: 1, host: `not-${hostname()}`, started: null }), true],
  ])("a lock %s: in use is %3$s", async (_what, text, expected) => {
    const root = await tempFolder();
    await writeFile(join(root, "events.jsonl.lock"), text);
    expect(await isLogInUse(root)).toBe(expected);
  });
});

describe("turnFolders", () => {
  it("counts turns as numbers, and a run without turns is its own", async () => {
    const root = await tempFolder();
    expect(await turnFolders(root)).toEqual([{ turn: 1, folder: root }]);
    for (const name of ["turn_10", "turn_2", "turn_x", "final"]) await mkdir(join(root, name));
    expect((await turnFolders(root)).map(({ turn }) => turn)).toEqual([2, 10]);
    // It was a run of its own before a conversation went on from it.
    for (const name of ["turn_1", "attempt_1"]) await mkdir(join(root, name));
    expect((await turnFolders(root)).map(({ folder }) => folder)).toEqual([root, join(root, "turn_2"), join(root, "turn_10")]);
  });
});

describe("listLogs", () => {
  it("tells what the root of each log says, newest first, and reads no more than it shows", async () => {
    const { folder, log } = await playRun(frozenRun("voidedVotes"));
    const base = join(folder, ".massgen/massgen_logs");
    await mkdir(join(base, "log_20990101_000000_000000"));
    await writeFile(join(base, "log_20990101_000000_000000/status.json"), "[]");
    await writeFile(join(base, "log_20980101_000000_000000"), "a file");
    expect(await logNames(base)).toHaveLength(2);
    const entries = await listLogs(base);
    expect(entries).toMatchObject([
      { name: "log_20990101_000000_000000", state: "unreadable", question: null },
      { folder: log.root, state: "completed", winner: "cleo", agents: ["ada", "bob", "cleo"], turns: 1 },
    ]);
    expect(await listLogs(base, { limit: 1 })).toHaveLength(1);
    expect(await listLogs(join(base, "nowhere"))).toEqual([]);
  });

  it("a run that broke off is told from one that goes on", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    await writeFile(log.statusFile, JSON.stringify({ finish_reason: "in_progress" }));
    expect((await readLogEntry(log.root)).state).toBe("interrupted");
    const lock = takeLock(join(log.root, "events.jsonl"));
    expect((await readLogEntry(log.root)).state).toBe("running");
    lock.release();
  });
});

describe("readRunView", () => {
  it("folds a log to what its records come to", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    const view = await readRunView(log.root);
    expect(view.finished).toMatchObject({ status: "completed", winner: "cleo" });
    expect(view.lastSeq).toBe(frozenRun("voidedVotes").length);
  });
});
