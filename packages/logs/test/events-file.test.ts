import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEventsFileStore, type EventsFileStore, type EventsFileStoreOptions, readRunLog } from "../src/index.js";
import { decisions } from "./arbitrary-facts.js";
import { byDecision, folderOf, frozenRun, namedInScripts, RUN, RUNS, zone } from "./frozen-logs.js";
import { filesIn, textIn } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

function storeIn(folder: string, options: Partial<EventsFileStoreOptions> = {}): EventsFileStore {
  const store = createEventsFileStore({ folderOf: () => folder, zone, ...options });
  onTestFinished(() => store.close());
  return store;
}

async function appendAll(store: EventsFileStore, groups: readonly (readonly Recorded[])[], runId = RUN): Promise<void> {
  for (const group of groups) await store.append(runId, group[0]!.seq - 1, group, "flushed");
}

async function written(folder: string, records: readonly Recorded[]): Promise<string> {
  const store = createEventsFileStore({ folderOf: () => folder, zone });
  await appendAll(store, byDecision(records));
  await store.close();
  return join(folder, "events.jsonl");
}

describe("events.jsonl", () => {
  it.each(RUNS)("gives the run %s back from the disk as it was", async (name) => {
    const folder = await tempFolder();
    const records = frozenRun(name);
    await written(folder, records);
    expect(await readRunLog(folder)).toEqual(records);
  });

  it("gives any decisions back from the disk as they were", async () => {
    const root = await tempFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(decisions, async (groups) => {
        const folder = join(root, `${runs++}`);
        await written(folder, groups.flat());
        expect(await readRunLog(folder)).toEqual(groups.flat());
      }),
      { numRuns: 40 },
    );
  });

  it("EC46: answers of agents with names in any script stand in folders of their own", async () => {
    const folder = await tempFolder();
    await written(folder, namedInScripts());
    expect((await readdir(folder)).sort()).toEqual(["events.jsonl", "final", "研究者", "a_b", "😀_smiley"].sort());
  });

  it("keeps answers byte for byte in files of their own, and only their places in the lines", async () => {
    const folder = await tempFolder();
    const records = frozenRun("voidedVotes");
    const lines = (await readFile(await written(folder, records), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const answers = lines.filter((line) => line.event_type === "new_answer");
    expect(answers.map((line) => line.context.path)).toEqual([
      "ada/20260102_101611_680000/answer.txt",
      "bob/20260102_101627_080000/answer.txt",
      "cleo/20260102_101640_280000/answer.txt",
      "cleo/20260102_101702_380000/answer.txt",
    ]);
    const texts = records.flatMap((record) => (record.type === "answer_submitted" ? [record.content] : []));
    for (const [place, line] of answers.entries()) {
      expect(line.context.content).toBeUndefined();
      expect(await readFile(join(folder, line.context.path), "utf8")).toBe(texts[place]);
    }
  });

  it("names folders of the same moment apart", async () => {
    const folder = await tempFolder();
    const records = frozenRun("voidedVotes");
    await written(
      folder,
      records.map((record) => ({ ...record, at: 0 })),
    );
    expect((await readdir(join(folder, "cleo"))).sort()).toEqual(["19700101_010000_000000", "19700101_010000_000001"]);
    expect((await readRunLog(folder)).filter((record) => record.type === "answer_submitted")).toHaveLength(4);
  });

  it.each(RUNS)("writes the run %s as the first version did, byte for byte", async (name) => {
    const folder = await tempFolder();
    await written(folder, frozenRun(name));
    expect(await filesIn(folder)).toEqual(await filesIn(folderOf(name)));
    for (const file of await filesIn(folder))
      expect([file, await textIn(folder, file)]).toEqual([file, await textIn(folderOf(name), file)]);
  });
});

describe("a log that was cut off", () => {
  it("EC65: loads at every byte of its last two decisions, without the torn one and with nothing else missing", async () => {
    const folder = await tempFolder();
    const all = byDecision(frozenRun("voidedVotes"));
    const groups = all.slice(0, all.findIndex((group) => group.some((record) => record.type === "vote_ignored")) + 1);
    const file = await written(folder, groups.flat());
    const ends = [0];
    for (const line of (await readFile(file, "utf8")).trimEnd().split("\n")) ends.push(ends.at(-1)! + Buffer.byteLength(line) + 1);
    const start = ends[groups.slice(0, -2).flat().length]!;
    for (let size = ends.at(-1)!; size >= start; size--) {
      await truncate(file, size);
      const whole = groups.filter((group) => ends[group.at(-1)!.seq]! <= size).flat();
      expect((await readRunLog(folder)).map((record) => record.seq)).toEqual(whole.map((record) => record.seq));
    }
  }, 30_000);

  it("is cut back to its last whole decision and goes on from there", async () => {
    const folder = await tempFolder();
    const records = frozenRun("tie");
    const groups = byDecision(records);
    const file = await written(folder, records);
    await truncate(file, (await stat(file)).size - 5);
    const store = storeIn(folder);
    const whole = groups.slice(0, -1).flat();
    await expect(store.append(RUN, records.length, [{ ...records[0]!, seq: records.length + 1 }], "flushed")).rejects.toSatisfy((error) =>
      MassgenError.is(error, "STORE_CONFLICT"),
    );
    await appendAll(store, groups.slice(-1));
    await store.close();
    expect(await readRunLog(folder)).toEqual(records);
    expect(whole.length).toBeLessThan(records.length);
  });

  it("is not taken for cut off when whole records stand behind the damage", async () => {
    const folder = await tempFolder();
    const file = await written(folder, frozenRun("tie"));
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"event_type":"new_answer"', '"event_type":"new_ans'));
    await expect(readRunLog(folder)).rejects.toThrow(/damaged/);
  });

  it("may end in what a power cut leaves: zeros", async () => {
    const folder = await tempFolder();
    const records = frozenRun("single");
    await appendFile(await written(folder, records), Buffer.alloc(300));
    expect(await readRunLog(folder)).toEqual(records);
  });

  it("is read although the file of an answer is gone, and says so in its place", async () => {
    const folder = await tempFolder();
    await written(folder, frozenRun("tie"));
    await rm(join(folder, "ada"), { recursive: true });
    const [first] = (await readRunLog(folder)).filter((record) => record.type === "answer_submitted");
    expect(first!.content).toMatch(/^\[text missing: ada\//);
  });

  it("never leads a reader out of its folder", async () => {
    const folder = await tempFolder();
    const log = join(folder, "log");
    await writeFile(join(folder, "secret.txt"), "secret");
    const file = await written(log, frozenRun("single"));
    await writeFile(file, (await readFile(file, "utf8")).replaceAll(/"path":"[^"]*"/g, '"path":"../secret.txt"'));
    expect(JSON.stringify(await readRunLog(log))).not.toContain('"secret"');
  });

  it("says what to do when there is no log", async () => {
    await expect(readRunLog(await tempFolder())).rejects.toMatchObject({ code: "STORE_FAILED", hint: expect.stringContaining("LOG_DIR") });
  });
});

describe("two writers", () => {
  const isConflict = (error: unknown): boolean => MassgenError.is(error, "STORE_CONFLICT");

  it("another living process is refused, and told who writes", async () => {
    const folder = await tempFolder();
    const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void other.kill());
    await once(other, "spawn");
    const { hostname } = await import("node:os");
    await writeFile(join(folder, "events.jsonl.lock"), JSON.stringify({ pid: other.pid, host: hostname() }));
    const append = () => appendAll(storeIn(folder), byDecision(frozenRun("single")));
    await expect(append()).rejects.toThrow(`process ${other.pid}`);
    other.stdin.end();
    await once(other, "exit");
    await append();
    expect(await readRunLog(folder)).toHaveLength(frozenRun("single").length);
  });

  it("a lock of a process with our number, or a torn one, is taken over: it is from before us", async () => {
    const { hostname } = await import("node:os");
    for (const lock of [JSON.stringify({ pid: process.pid, host: hostname() }), '{"pid":']) {
      const folder = await tempFolder();
      await writeFile(join(folder, "events.jsonl.lock"), lock);
      await appendAll(storeIn(folder), byDecision(frozenRun("single")));
    }
  });

  it("a lock of a process that has ended is taken over, also when its number was given to another one since", async () => {
    const { hostname } = await import("node:os");
    const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void other.kill());
    await once(other, "spawn");
    const folder = await tempFolder();
    await writeFile(join(folder, "events.jsonl.lock"), JSON.stringify({ pid: other.pid, host: hostname(), started: "1" }));
    const append = () => appendAll(storeIn(folder), byDecision(frozenRun("single")));
    if (process.platform === "linux") await append();
    else await expect(append()).rejects.toSatisfy(isConflict);
  });

  it("a lock of another machine stands: nobody here can know whether it lives", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "events.jsonl.lock"), JSON.stringify({ pid: 1, host: "elsewhere" }));
    await expect(appendAll(storeIn(folder), byDecision(frozenRun("single")))).rejects.toSatisfy(isConflict);
  });

  it("gives the lock back when it closes", async () => {
    const folder = await tempFolder();
    await written(folder, frozenRun("single"));
    expect(await readdir(folder)).not.toContain("events.jsonl.lock");
  });

  it("notices bytes that somebody else appended", async () => {
    const folder = await tempFolder();
    const store = storeIn(folder);
    const [first, second] = byDecision(frozenRun("tie"));
    await store.append(RUN, 0, first!, "flushed");
    await appendFile(join(folder, "events.jsonl"), "intruder\n");
    await expect(store.append(RUN, first!.length, second!, "flushed")).rejects.toSatisfy(isConflict);
  });
});

describe("a disk that fails", () => {
  it("EC66: costs a warning, said once, and the run goes on in memory", async () => {
    const folder = await tempFolder();
    // A file where the folder is to be: no rights are needed to refuse it, and no rights overcome it.
    await writeFile(join(folder, "log"), "");
    const warnings: string[] = [];
    const store = storeIn(join(folder, "log"), { onWarning: (message) => warnings.push(message) });
    const records = frozenRun("tie");
    await appendAll(store, byDecision(records));
    const read: Recorded[] = [];
    for await (const record of store.read(RUN, { follow: true })) read.push(record);
    expect(read).toEqual(records);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/cannot be written .* goes on/);
  });

  it("EC66: when it fails in the middle, what was written before stays whole", async () => {
    const folder = await tempFolder();
    const warnings: string[] = [];
    const store = storeIn(folder, { onWarning: (message) => warnings.push(message) });
    const records = frozenRun("tie");
    const groups = byDecision(records);
    const answer = groups.findIndex((group) => group.some((record) => record.type === "answer_submitted" && record.agent === "bob"));
    // Bob's folder cannot be made, because there is a file of that name.
    await writeFile(join(folder, "bob"), "");
    await appendAll(store, groups);
    await store.close();
    expect(warnings).toHaveLength(1);
    expect(await readRunLog(folder)).toEqual(groups.slice(0, answer).flat());
  });
});

describe("readers", () => {
  it("follow what another process writes", async () => {
    const folder = await tempFolder();
    const records = frozenRun("single");
    const elsewhere = await tempFolder();
    const text = await readFile(await written(elsewhere, records), "utf8");
    const lines = text.split(/(?<=\n)/);
    const store = storeIn(folder);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const record of store.read(RUN, { follow: true })) seen.push(record.seq);
    })();
    await mkdir(join(folder, "ada"), { recursive: true });
    // Half a line, then the rest: a reader sees a decision when it is whole.
    await writeFile(join(folder, "events.jsonl"), text.slice(0, 700));
    await appendFile(join(folder, "events.jsonl"), text.slice(700));
    await reading;
    expect(seen).toEqual(records.map((record) => record.seq));
    expect(lines.length).toBe(records.length);
  });

  it("may begin before the first append", async () => {
    const folder = await tempFolder();
    const store = storeIn(folder);
    const records = frozenRun("single");
    const seen: Recorded[] = [];
    const reading = (async () => {
      for await (const record of store.read(RUN, { follow: true })) seen.push(record);
    })();
    await appendAll(store, byDecision(records));
    await reading;
    expect(seen).toEqual(records);
  });
});
