import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { bootId, hostId, isSameBoot } from "../src/events/boot-id.js";
import { createCommitJournal } from "../src/events/commit-journal.js";
import { createGroupCommit, type Flushable } from "../src/events/group-commit.js";
import { recoverCommits } from "../src/events/recover-commits.js";
import { createEventsFileStore, readRunLog } from "../src/index.js";
import { tempFolder } from "./temp-folder.js";

/** A log that counts how often it is flushed by itself. */
function countingLog(
  name: string,
  text = `${name} says 日本\n`,
): Flushable & { readonly syncs: () => number; readonly durable: () => number } {
  let syncs = 0;
  let durable = 0;
  return {
    syncs: () => syncs,
    durable: () => durable,
    datasync() {
      syncs += 1;
      durable = Buffer.byteLength(text);
      return Promise.resolve();
    },
    unflushed: () => ({ file: `${name}/events.jsonl`, offset: 0, bytes: Buffer.from(text) }),
    flushedTo(offset) {
      durable = offset;
    },
  };
}

describe("logs that are flushed at the same time", () => {
  it("share a flush: of 64 that come together one is flushed by itself and the others with one more", async () => {
    const base = await tempFolder();
    const { group, close } = createGroupCommit(createCommitJournal(base));
    const logs = Array.from({ length: 64 }, (_, n) => countingLog(`run${n}`));
    await Promise.all(logs.map((log) => group.flush(log)));
    expect(logs.reduce((sum, log) => sum + log.syncs(), 0)).toBe(1);
    expect(logs.every((log) => log.durable() > 0)).toBe(true);
    const [journal] = await readdir(join(base, ".commits"));
    const pieces = (await readFile(join(base, ".commits", journal!), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(pieces).toHaveLength(63);
    expect(pieces[0]).toEqual({ file: "run1/events.jsonl", offset: 0, data: "run1 says 日本\n" });
    await close();
    expect(await readdir(base)).toEqual([]);
  });

  it("that come one after another are flushed by themselves, and leave no journal", async () => {
    const base = await tempFolder();
    const { group, close } = createGroupCommit(createCommitJournal(base));
    const logs = Array.from({ length: 5 }, (_, n) => countingLog(`run${n}`));
    for (const log of logs) await group.flush(log);
    expect(logs.map((log) => log.syncs())).toEqual([1, 1, 1, 1, 1]);
    expect(await readdir(base)).toEqual([]);
    await close();
  });

  it("a log that cannot be flushed fails alone", async () => {
    const base = await tempFolder();
    // A file where the folder of journals is to be: nothing can be shared.
    await writeFile(join(base, ".commits"), "");
    const { group, close } = createGroupCommit(createCommitJournal(base));
    const broken: Flushable = { ...countingLog("broken"), datasync: () => Promise.reject(new Error("EIO")) };
    const good = [countingLog("a"), countingLog("b"), countingLog("c")];
    const results = await Promise.allSettled([...good, broken].map((log) => group.flush(log)));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(good.map((log) => log.syncs())).toEqual([1, 1, 1]);
    await close();
  });

  it("what is too much to be written twice is flushed by itself", async () => {
    const { group, close } = createGroupCommit(createCommitJournal(await tempFolder()));
    const big = { ...countingLog("big"), unflushed: () => null };
    const small = countingLog("small");
    await Promise.all([group.flush(countingLog("first")), group.flush(big), group.flush(small)]);
    expect([big.syncs(), small.syncs()]).toEqual([1, 0]);
    await close();
  });

  it("are all there after 64 runs appended at once, with no journal left", async () => {
    const base = await tempFolder();
    const store = createEventsFileStore({ folderOf: (runId) => join(base, runId) });
    const record = (runId: string, seq: number): Recorded => ({
      seq,
      at: seq,
      runId,
      decision: seq,
      closes: true,
      type: "run_resumed",
      lastSeq: seq,
    });
    const runs = Array.from({ length: 64 }, (_, n) => `run${n}`);
    for (let seq = 1; seq <= 5; seq++)
      await Promise.all(runs.map((runId) => store.append(runId, seq - 1, [record(runId, seq)], "flushed")));
    await store.close();
    expect((await readdir(base)).sort()).toEqual([...runs].sort());
    for (const runId of runs) expect((await readRunLog(join(base, runId))).map((one) => one.seq)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("after a power cut", () => {
  const OTHER_BOOT = "00000000-dead-4bad-8bad-000000000000";
  const journalOf = (boot: string, pid = 4711, host = hostId()): string => `${boot}_${pid}_${host}_0badcafe.jsonl`;

  async function cutOff(journal: string, torn = "") {
    const base = join(await tempFolder(), "logs");
    await mkdir(join(base, "run"), { recursive: true });
    await mkdir(join(base, ".commits"));
    const lines = ["first 日本\n", "second\n", "third\n"];
    const offsets = [0, Buffer.byteLength(lines[0]!), Buffer.byteLength(lines[0]! + lines[1]!)];
    const pieces = lines.map((data, n) => `${JSON.stringify({ file: "run/events.jsonl", offset: offsets[n], data })}\n`);
    await writeFile(join(base, "run/events.jsonl"), lines.join(""));
    await writeFile(join(base, ".commits", journal), pieces.join("") + torn);
    return { base, file: join(base, "run/events.jsonl"), whole: lines.join("") };
  }

  it("a log gets back what the journal holds, wherever it was cut off", async () => {
    const { whole } = await cutOff(journalOf(OTHER_BOOT));
    for (let size = 0; size <= Buffer.byteLength(whole); size++) {
      const { base, file } = await cutOff(journalOf(OTHER_BOOT));
      await truncate(file, size);
      await recoverCommits(base);
      expect(await readFile(file, "utf8")).toBe(whole);
      expect(await readdir(base)).toEqual(["run"]);
    }
  });

  it("a log of the right length that is full of zeros gets its bytes back", async () => {
    const { base, file, whole } = await cutOff(journalOf(OTHER_BOOT));
    await writeFile(file, Buffer.alloc(Buffer.byteLength(whole)));
    await recoverCommits(base);
    expect(await readFile(file, "utf8")).toBe(whole);
  });

  it("what was torn in the journal itself was never reported as durable", async () => {
    const { base, file, whole } = await cutOff(journalOf(OTHER_BOOT), '{"file":"run/events.jsonl","offset":26,"da');
    await recoverCommits(base);
    expect(await readFile(file, "utf8")).toBe(whole);
  });

  it("a recovery that was interrupted is done again", async () => {
    const { base, file, whole } = await cutOff(`${journalOf(OTHER_BOOT)}.claimed`);
    await truncate(file, 3);
    await recoverCommits(base);
    expect(await readFile(file, "utf8")).toBe(whole);
  });

  it("a log that was deleted stays deleted, and nothing outside the folder is touched", async () => {
    const { base } = await cutOff(journalOf(OTHER_BOOT));
    await writeFile(
      join(base, ".commits", `${OTHER_BOOT}_1_${hostId()}_aa.jsonl`),
      `${JSON.stringify({ file: "../outside.txt", offset: 0, data: "x" })}\n${JSON.stringify({ file: "gone/events.jsonl", offset: 0, data: "x" })}\n`,
    );
    await writeFile(join(base, "../outside.txt"), "mine");
    await recoverCommits(base);
    expect(await readdir(base)).toEqual(["run"]);
    expect(await readFile(join(base, "../outside.txt"), "utf8")).toBe("mine");
  });

  it("without one, the logs are complete: the journal of a dead process is only removed, that of a living one stays", async () => {
    const dead = await cutOff(journalOf(bootId(), 2 ** 22 + 7));
    await truncate(dead.file, 3);
    await recoverCommits(dead.base);
    expect(await readFile(dead.file, "utf8")).toBe("fir");
    expect(await readdir(dead.base)).toEqual(["run"]);
    const living = await cutOff(journalOf(bootId(), process.pid));
    await recoverCommits(living.base);
    expect(await readdir(join(living.base, ".commits"))).toHaveLength(1);
  });

  it("a journal of another host is used, and left where it is: its process may live", async () => {
    const { base, file, whole } = await cutOff(journalOf(OTHER_BOOT, 1, "elsewhere"));
    await truncate(file, 3);
    for (let time = 0; time < 2; time++) {
      await recoverCommits(base);
      expect(await readFile(file, "utf8")).toBe(whole);
      expect(await readdir(join(base, ".commits"))).toHaveLength(1);
    }
    const sameBoot = await cutOff(journalOf(bootId(), 2 ** 22 + 7, "elsewhere"));
    await recoverCommits(sameBoot.base);
    expect(await readdir(join(sameBoot.base, ".commits"))).toHaveLength(1);
  });

  it("readers recover first", async () => {
    const base = await tempFolder();
    const store = createEventsFileStore({ folderOf: (runId) => join(base, runId) });
    await store.append("run", 0, [{ seq: 1, at: 1, runId: "run", decision: 1, closes: true, type: "run_resumed", lastSeq: 0 }], "flushed");
    await store.close();
    const file = join(base, "run/events.jsonl");
    const data = await readFile(file, "utf8");
    await mkdir(join(base, ".commits"));
    await writeFile(join(base, ".commits", journalOf(OTHER_BOOT)), `${JSON.stringify({ file: "run/events.jsonl", offset: 0, data })}\n`);
    await truncate(file, 10);
    expect(await readRunLog(join(base, "run"))).toHaveLength(1);
  });

  it("starts of a machine without an id are told apart by when they were", () => {
    expect(isSameBoot("at1000000", "at1000090")).toBe(true);
    expect(isSameBoot("at1000000", "at1000500")).toBe(false);
    expect(isSameBoot("a-b", "c-d")).toBe(false);
    expect(isSameBoot(bootId(), bootId())).toBe(true);
  });
});
