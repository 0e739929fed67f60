import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentCard, CoordinationEvent, Recorded } from "@massgen/contracts";
import { createRedactor, type EventsFileStore, openRunLog } from "@massgen/logs";
import { virtualClock } from "@massgen/testing";
import { onTestFinished } from "vitest";
import { foldTurn, type LogRecord } from "../src/read-turn.js";

export const START: number = Date.UTC(2026, 0, 2, 9, 15, 30);
const RUN = "20260102_091530_abcdef";

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "massgen-export-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Texts {
  readonly question: string;
  readonly ids: readonly [string, string, string];
  readonly answers: readonly [string, string, string];
  readonly reasons: readonly [string, string, string];
  readonly final: string;
  readonly tool?: string;
}

/** A team of three whose every text is given: answers, a vote that becomes void, votes, a failure, a tool call, the result. */
export function recordsOf({ question, ids, answers, reasons, final, tool = "read_file" }: Texts): readonly Recorded[] {
  const [ada, bob, cleo] = ids;
  const agents = ids.map(
    (id, place): AgentCard => ({ id, anon: `agent${place + 1}`, backend: `backend ${reasons[0]}`, model: `model ${reasons[1]}` }),
  );
  const records: Recorded[] = [];
  const say = (...facts: readonly CoordinationEvent[]): void => {
    const decision = (records.at(-1)?.decision ?? 0) + 1;
    facts.forEach((fact, place) => {
      records.push({
        seq: records.length + 1,
        at: START + records.length * 1_500,
        runId: RUN,
        decision,
        closes: place === facts.length - 1,
        ...fact,
      });
    });
  };
  const label = (place: number, version = 1) => `agent${place}.${version}` as const;
  const answer = (agent: string, place: number, content: string): CoordinationEvent => ({
    type: "answer_submitted",
    agent,
    round: 0,
    label: label(place),
    content,
    fingerprint: "",
    supersedes: null,
    salvaged: false,
    snapshot: null,
    maxSimilarity: null,
  });
  const vote = (agent: string, target: string, place: number, reason: string): CoordinationEvent => ({
    type: "vote_cast",
    agent,
    round: 1,
    target,
    targetLabel: label(place),
    reason,
    confidence: null,
    confidenceDefaulted: false,
    weight: 1,
    coerced: false,
    options: [label(1), label(2)],
  });
  const usage = { inputTokens: 1_200, outputTokens: 340, cachedTokens: 600, reasoningTokens: 0, costUsd: 0.0123 };
  say({ type: "run_started", question, agents, seed: 1, mode: "voting" }, { type: "phase_changed", from: "preparing", to: "coordinating" });
  for (const agent of ids) say({ type: "round_started", agent, round: 0, kind: "initial", shown: [], tools: ["new_answer"] });
  say({ type: "tool_start", agent: ada, round: 0, callId: "c1", name: tool, argsPreview: reasons[2] });
  say({
    type: "tool_complete",
    agent: ada,
    round: 0,
    callId: "c1",
    name: tool,
    ok: false,
    durationMs: 12,
    inputChars: 5,
    outputChars: 70,
    resultPreview: reasons[2],
  });
  say({ type: "usage_recorded", agent: ada, round: 0, usage });
  say({ type: "usage_recorded", agent: bob, round: 0, usage: { ...usage, cachedTokens: 0, costUsd: null } });
  say(answer(ada, 1, answers[0]));
  say(vote(bob, ada, 1, reasons[0]));
  say(answer(bob, 2, answers[1]), { type: "vote_invalidated", voters: [bob], byLabel: label(2) });
  say(answer(cleo, 3, answers[2]));
  say({ type: "agent_failed", agent: cleo, kind: "backend_transient", message: reasons[2], fatal: false, lastText: reasons[0] });
  say(vote(ada, bob, 2, reasons[0]));
  say(vote(bob, bob, 2, reasons[1]));
  say(vote(cleo, ada, 1, reasons[2]));
  say(
    {
      type: "winner_selected",
      winner: bob,
      label: label(2),
      tally: [
        { label: label(2), weight: 2 },
        { label: label(1), weight: 1 },
      ],
      consensus: "majority",
      selection: "votes",
      isTie: false,
      tieBrokenBy: null,
      tieBreakTrace: [],
    },
    { type: "phase_changed", from: "coordinating", to: "presenting" },
    { type: "presentation_started", agent: bob, label: label(2), round: 2, strategy: "winner_present" },
  );
  say(
    { type: "presentation_finished", agent: bob, content: final, snapshot: null, fallback: null, partial: "" },
    { type: "phase_changed", from: "presenting", to: "finished" },
    { type: "run_finished", status: "completed", winner: bob, message: null },
  );
  return records;
}

/** The log folder of these records, with all its files. `secrets`: what was already taken out when it was written. */
export async function writeLog(cwd: string, records: readonly Recorded[], secrets: readonly string[] = []): Promise<string> {
  const [start] = records;
  if (start?.type !== "run_started") throw new Error("a run begins with its start");
  const log = await openRunLog({
    question: start.question,
    runId: start.runId,
    seed: start.seed,
    agents: start.agents,
    clock: virtualClock(start.at),
    version: "1.2.3",
    cwd,
    zone: () => 0,
    secrets,
  });
  let decision: Recorded[] = [];
  for (const record of records) {
    decision.push(record);
    if (!record.closes) continue;
    await log.store.append(record.runId, decision[0]!.seq - 1, decision, "flushed");
    for (const each of decision) log.watch(each);
    decision = [];
  }
  await log.finish();
  // The log keeps its store to itself; that it is one of files is known here.
  await (log.store as EventsFileStore).close();
  return log.root;
}

/** What is read of these records, without a disk between. */
export async function logRecordOf(records: readonly Recorded[]): Promise<LogRecord> {
  const turn = await foldTurn({ turn: 1, folder: "/log" }, [records], createRedactor([]));
  return { name: "log_20260102_091530_000000", folder: "/log", simulated: false, turns: [turn] };
}

export const SAMPLE: Texts = {
  question: "Which cache policy fits?",
  ids: ["ada", "bob", "cleo"],
  answers: [
    "Use **LRU**.",
    "Use W-TinyLFU:\n\n| policy | hits |\n|---|---:|\n| LRU | 61 % |\n| W-TinyLFU | 74 % |\n\n```ts\nconst cache = new Map();\n```",
    "Use ARC.",
  ],
  reasons: ["Best hit rates", "Checked against traces", "Simpler to explain"],
  final: "# W-TinyLFU\n\nUse it. See [the paper](https://example.org/paper).",
};
