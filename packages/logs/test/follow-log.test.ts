import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { createEventsFileStore, decisionsOfLines, followLog, readRunLog, takeLock } from "../src/index.js";
import { byDecision, folderOf, frozenRun, RUN } from "./frozen-logs.js";
import { playRun } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

const never = new AbortController().signal;
const all = async (decisions: AsyncIterable<readonly Recorded[]>): Promise<readonly Recorded[]> => {
  const records: Recorded[] = [];
  for await (const decision of decisions) records.push(...decision);
  return records;
};
async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

describe("followLog", () => {
  it("gives a finished log and ends", async () => {
    const { log } = await playRun(frozenRun("voidedVotes"));
    expect(await all(followLog(log.root, never))).toEqual(await readRunLog(log.root));
  });

  it("gives what another writer adds, as it comes, and ends with the run", async () => {
    const folder = await tempFolder();
    const store = createEventsFileStore({ folderOf: () => folder });
    const decisions = byDecision(frozenRun("voidedVotes"));
    const add = (decision: readonly Recorded[]) => store.append(RUN, decision[0]!.seq - 1, decision, "flushed");
    await add(decisions[0]!);
    const seen: Recorded[] = [];
    let next = 1;
    for await (const decision of followLog(folder, never)) {
      seen.push(...decision);
      if (next < decisions.length) await add(decisions[next++]!);
    }
    await store.close();
    expect(seen).toHaveLength(frozenRun("voidedVotes").length);
  });

  it("ends when the writer dies in the middle of a run, and with the signal", async () => {
    const { log } = await playRun(frozenRun("voidedVotes").slice(0, byDecision(frozenRun("voidedVotes"))[0]!.length));
    expect((await all(followLog(log.root, never))).length).toBeGreaterThan(0);
    const lock = takeLock(join(log.root, "events.jsonl"));
    const stop = new AbortController();
    for await (const _ of followLog(log.root, stop.signal)) stop.abort();
    lock.release();
  });

  it("without a log is an error that says what to give", async () => {
    await expect(all(followLog(await tempFolder(), never))).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

describe("decisionsOfLines", () => {
  it("reads the lines of a log; texts in other files are named", async () => {
    const text = await readFile(join(folderOf("voidedVotes"), "events.jsonl"), "utf8");
    const records = await all(decisionsOfLines(linesOf(text)));
    expect(records.map(({ type }) => type)).toEqual(frozenRun("voidedVotes").map(({ type }) => type));
    expect(records.find(({ type }) => type === "presentation_finished")).toMatchObject({
      content: expect.stringMatching(/^\[text in final\//),
    });
  });

  it("reads the lines of --stream-events, each a decision of its own", async () => {
    const line = (event_type: string, data: object, agent_id: string | null = null) =>
      JSON.stringify({ timestamp: 1_767_345_330, event_type, agent_id, round_number: 0, data });
    const text = [
      line("session_start", { question: "Q", agents: [], seed: 1, mode: "voting" }),
      line("new_answer", { label: "agent1.1", content: "A", round: 0 }, "ada"),
    ].join("\n");
    expect(await all(decisionsOfLines(linesOf(text)))).toMatchObject([
      { type: "run_started", question: "Q", seq: 1 },
      { type: "answer_submitted", agent: "ada", content: "A", seq: 2 },
    ]);
  });

  it("passes over a torn end at every byte, and names a line that is no event", async () => {
    const text = (await readFile(join(folderOf("single"), "events.jsonl"), "utf8")).trimEnd();
    const lines = text.split("\n");
    const last = lines.at(-1)!;
    for (let cut = 1; cut < last.length; cut += 7)
      await all(decisionsOfLines(linesOf([...lines.slice(0, -1), last.slice(0, cut)].join("\n"))));
    await expect(all(decisionsOfLines(linesOf(`${lines[0]}\nnonsense\n${lines[1]}`)))).rejects.toThrow("Line 2 is no event");
    await expect(all(decisionsOfLines(linesOf("nonsense")))).rejects.toThrow("Line 1 is no event");
  });

  it("a log whose texts are gone can still be read", async () => {
    const { log } = await playRun(frozenRun("single"));
    await rm(join(log.root, "final"), { recursive: true });
    await writeFile(join(log.root, "note"), "");
    expect((await all(followLog(log.root, never))).at(-1)?.type).toBe("run_finished");
  });
});
