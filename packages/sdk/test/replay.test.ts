import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import type { Recorded } from "@massgen/contracts";
import { createEventsFileStore } from "@massgen/logs";
import { type Simulator, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareRun, readRunLog, replayRun } from "../src/index.js";

let folder = "";
let simulator: Simulator;
let log = "";

/** A promise, and how to keep it. */
function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

/**
 * Five agents: one fails for good, one is shown an update while it works, two votes fall on each of two answers, so that the tie-break
 * decides, and an answer voids votes on the way.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-replay-"));
  // Who waits for what is said by facts and not by times, so that a slow machine plays the same run.
  const firstVote = signalled();
  const betterAnswer = signalled();
  const team = scriptedTeam({
    "a-model": [step.answer("Use LRU."), step.text("Let me think."), step.vote("agent1", "Simple."), step.vote("agent1", "Simple.")],
    "b-model": [step.answer("Use ARC."), step.text("Hm."), step.vote("agent2", "Adapts."), step.vote("agent2", "Adapts.")],
    "c-model": [
      step.answer("Use LFU."),
      step.answer("Use LFU with decay."),
      step.vote("agent1", "Simple."),
      step.vote("agent1", "Simple."),
    ],
    "d-model": [step.answer("Use FIFO."), step.vote("agent2", "Adapts."), step.vote("agent2", "Adapts."), step.vote("agent2", "Adapts.")],
    "e-model": [step.fail(401)],
  });
  simulator = await startSimulator({
    respond: async (request) => {
      if (request.agent === "c-model" && request.index === 1) await firstVote.promise;
      if (request.agent === "d-model" && request.index === 1) await betterAnswer.promise;
      return team(request);
    },
  });
  const loaded = validateConfig({
    agents: ["a", "b", "c", "d", "e"].map((id) => ({
      id,
      backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions") },
    })),
    orchestrator: { record: true, seed: 7 },
  });
  const prepared = await prepareRun({
    question: "Which cache?",
    loaded,
    env: {},
    logs: { cwd: folder, version: "1" },
    modulesFrom: [folder],
  });
  log = prepared.logDirectory ?? "";
  const run = prepared.start();
  for await (const event of run) {
    if (event.type === "vote_cast" && event.agent === "a") firstVote.resolve();
    if (event.type === "answer_submitted" && event.label === "agent3.2") betterAnswer.resolve();
  }
  await run.finished;
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** The lines of an `events.jsonl` without what differs between two runs that are the same. */
async function linesOf(file: string): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  const text = (await readFile(file, "utf8")).replace(/call_[0-9a-z]{7}\b/g, (id) => {
    const known = ids.get(id) ?? `call_${ids.size}`;
    ids.set(id, known);
    return known;
  });
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const { timestamp: _t, timestamp_iso: _i, at_ms: _a, run_id: _r, ...event } = JSON.parse(line) as Record<string, unknown>;
      const context = { ...(event["context"] as Record<string, unknown>) };
      for (const key of ["ttft_ms", "duration_ms", "duration_seconds", "elapsed"]) delete context[key];
      // Folders of texts are named by the time.
      return JSON.stringify({ ...event, context }).replace(/\d{8}_\d{6}_\d{6}/g, "TIME");
    });
}

async function written(records: readonly Recorded[]): Promise<string> {
  const to = await mkdtemp(join(folder, "again-"));
  const store = createEventsFileStore({ folderOf: () => to });
  for (const record of records) {
    const decision = records.filter((other) => other.decision === record.decision);
    if (decision[0] === record) await store.append("r", record.seq - 1, decision, "flushed");
  }
  await store.close();
  return join(to, "events.jsonl");
}

describe("a recorded run of five agents, with an update under way, a tie and a failure", () => {
  it("I8: is reproduced by the engine without a model, byte for byte but for times", async () => {
    const original = await readRunLog(log);
    const types = new Set(original.map((record) => record.type));
    for (const type of ["update_injected", "agent_failed", "vote_invalidated"] as const) expect(types).toContain(type);
    expect(original.find((record) => record.type === "winner_selected")).toMatchObject({ isTie: true });
    const asked = simulator.requests.length;
    const { records, difference } = await replayRun(log);
    expect(difference).toBeNull();
    expect(simulator.requests.length).toBe(asked);
    expect(await linesOf(await written(records))).toEqual(await linesOf(join(log, "events.jsonl")));
  });

  it("shows the first difference with both sides when the record is another one", async () => {
    const edited = join(folder, "edited");
    await cp(log, edited, { recursive: true });
    const file = join(edited, "llm_calls.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll('"agent_id":"agent1"', '"agent_id":"agent3"'));
    const { difference } = await replayRun(edited);
    expect(difference?.recorded[0]).toMatchObject({ type: "vote_cast", target: "a" });
    expect(difference?.replayed?.[0]).toMatchObject({ type: "vote_cast", target: "c" });
    expect(difference?.seq).toBeGreaterThan(1);
  });

  it("has no secret in its record, and the hash of every request", async () => {
    const lines = (await readFile(join(log, "llm_calls.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ kind: "run", settings: { question: "Which cache?", seed: 7 } });
    const calls = lines.slice(1);
    expect(calls).toHaveLength(simulator.requests.length);
    for (const call of calls) expect(call["request_hash"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is refused for a log without calls", async () => {
    const bare = join(folder, "bare");
    await cp(log, bare, { recursive: true });
    await rm(join(bare, "llm_calls.jsonl"));
    await expect(replayRun(bare)).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  });
});
