import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CoordinationEvent, type EventStore, MassgenError, type Recorded } from "@massgen/contracts";
import { type Agent, coordinate, memoryStore, seededRandom, systemAmbient } from "@massgen/core";
import { defaultPolicy, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";
import { readRunLog } from "@massgen/logs";
import type { RecordedCall, RecordedSettings, RecordedStart } from "./call-record.js";
import type { RecordedHands } from "./hands-record.js";
import type { RecordedNewTools } from "./record-new-tools.js";
import { createRecordedOrder } from "./recorded-order.js";
import { createReplayClock } from "./replay-clock.js";
import { replayedBackend } from "./replayed-backend.js";
import { replayedHands, replayedTool } from "./replayed-hands.js";

/** What running the engine again from the record gave. */
export interface Replay {
  /** Every fact the engine made again, in the order of the log. */
  readonly records: readonly Recorded[];
  /** `null`: the engine made the same decisions. */
  readonly difference: {
    /** Number of the record at which the log and the engine part. */
    readonly seq: number;
    readonly recorded: readonly CoordinationEvent[];
    /** `null`: the engine came to nothing more. */
    readonly replayed: readonly CoordinationEvent[] | null;
  } | null;
}

/** Turns of the event loop in which nothing happens after which only time can bring something. */
const QUIET_TURNS = 3;

/**
 * Runs the engine again from `llm_calls.jsonl`: without network, on a clock of its own, with the seed, the settings and the
 * order of arrival of the record (docs/spec/coordination.md 7 W19).
 *
 * @throws MassgenError `NOT_SUPPORTED` for a log without calls, and for one of a run that was resumed, `STORE_FAILED` when it is damaged
 */
export async function replayRun(folder: string): Promise<Replay> {
  const records = await readRunLog(folder);
  const { start, calls, hands } = await readCalls(folder);
  const obstacle = obstacleIn(records, start);
  if (obstacle !== null)
    throw new MassgenError("NOT_SUPPORTED", `${obstacle} can be looked at, but not run again from its record.`, { exitCode: 1 });
  const decisions = byDecision(records);
  const clock = createReplayClock(records[0]?.at ?? 0);
  const { settings } = start;
  // Times of the record count from when it was opened, those of the clock from the first thing that happens.
  const zeroMs = Math.min(...[...calls, ...hands].map(({ started_ms }) => started_ms), Number.MAX_SAFE_INTEGER);
  let state = (): RunState => initialState;
  const order = createRecordedOrder(decisions, policyOf(settings), () => state());
  const run = coordinate({
    ...settings,
    runId: start.run_id,
    agents: start.agents.map((agent) => {
      const { id, backend, model, capabilities } = agent;
      const own = calls.filter((call) => call.agent_id === id);
      return agentOf(agent, replayedBackend({ id: backend, model, capabilities }, own, clock, zeroMs));
    }),
    ...replayedHands(start, hands, clock, zeroMs),
    store: unhurried(memoryStore()),
    ambient: { ...systemAmbient({ seed: settings.seed ?? 0 }), clock, random: seededRandom(settings.seed ?? 0) },
    order,
  });
  state = run.state;
  const again: Recorded[] = [];
  void (async () => {
    for await (const event of run) if ("seq" in event) again.push(event);
  })().catch(() => {});

  let ended = false;
  const over = run.outcome.then(
    () => (ended = true),
    () => (ended = true),
  );
  for (let quiet = 0, made = 0; !ended && order.made() < decisions.length; ) {
    await nextTurn();
    quiet = made === order.made() ? quiet + 1 : 0;
    made = order.made();
    if (quiet < QUIET_TURNS) continue;
    quiet = 0;
    const due = decisions[made]?.[0];
    const wish = wishBehind(due);
    if (wish !== null) {
      void run.send(wish).catch(() => {});
      for (let turn = 0; turn < QUIET_TURNS * 2; turn++) await nextTurn();
      if (order.made() === made) break;
    } else if (!clock.advance()) break;
  }
  if (order.made() === decisions.length) {
    await Promise.race([over, nextTurn()]);
    for (let turn = 0; turn < QUIET_TURNS; turn++) await nextTurn();
    return { records: again, difference: null };
  }
  const recorded = decisions[order.made()] ?? [];
  return { records: again, difference: { seq: recorded[0]?.seq ?? 0, recorded, replayed: order.instead() } };
}

/** What is not on record of a run and would have to be: the calls of two processes in one order; in old records, what tools gave and files. */
function obstacleIn(records: readonly Recorded[], { agents }: RecordedStart): string | null {
  if (records.some(({ type }) => type === "run_resumed")) return "A run that was resumed";
  if (agents.every(({ tools }) => tools !== undefined)) return null;
  if (records.some(({ type }) => type === "tool_start")) return "A run in which tools were used, recorded by an earlier version,";
  return records.some((record) => "snapshot" in record && record.snapshot !== null)
    ? "A run with files, recorded by an earlier version,"
    : null;
}

/** What a person did is on record only as what came of it. */
function wishBehind(fact: Recorded | undefined): Signal | null {
  if (fact?.type === "cancelled") return { type: "cancel_requested", reason: fact.reason, texts: {} };
  return fact?.type === "answer_now_requested" ? { type: "answer_now_requested", reason: fact.reason } : null;
}

/** As a disk would: what a verdict sets going goes as far as it can before the next signal is judged. */
const unhurried = (store: EventStore): EventStore => ({
  read: (...args) => store.read(...args),
  async append(...args) {
    await store.append(...args);
    await nextTurn();
  },
});

const agentOf = (agent: RecordedStart["agents"][number], backend: Agent["backend"]): Agent => ({
  id: agent.id,
  backend,
  maxOutputTokens: agent.max_output_tokens,
  ...(agent.instructions === null ? {} : { instructions: agent.instructions }),
  ...(agent.voting_sensitivity === null ? {} : { votingSensitivity: agent.voting_sensitivity }),
  ...(agent.subtask === null ? {} : { subtask: agent.subtask }),
  tools: (agent.tools ?? []).map(replayedTool),
  ...(agent.files == null ? {} : { files: agent.files }),
  workspacePaths: agent.workspace_paths ?? [],
  ...(agent.tools_at_once == null ? {} : { toolsAtOnce: agent.tools_at_once }),
});

const policyOf = ({ policy = {} }: RecordedSettings): Policy => ({
  ...defaultPolicy,
  ...policy,
  limits: { ...defaultPolicy.limits, ...policy.limits },
});

function byDecision(records: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const decisions: Recorded[][] = [];
  for (const record of records) {
    if (record.decision === decisions.at(-1)?.[0]?.decision) decisions.at(-1)?.push(record);
    else decisions.push([record]);
  }
  return decisions;
}

interface CallRecord {
  readonly start: RecordedStart;
  readonly calls: readonly RecordedCall[];
  readonly hands: readonly RecordedHands[];
}

type Line = RecordedStart | RecordedCall | RecordedHands | RecordedNewTools;

async function readCalls(folder: string): Promise<CallRecord> {
  const file = join(folder, "llm_calls.jsonl");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null)
    throw new MassgenError("NOT_SUPPORTED", `${folder} has no record of its calls.`, { exitCode: 1, hint: "Record a run with --record." });
  const lines = text.split("\n").flatMap((line): readonly Line[] => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Line];
    } catch {
      return []; // torn by a crash
    }
  });
  const start = lines.find((line) => line.kind === "run");
  if (start === undefined) throw new MassgenError("STORE_FAILED", `${file} does not begin with the settings of a run.`);
  const calls = lines.filter((line) => line.kind === "call");
  const hands = lines.filter((line) => line.kind !== "run" && line.kind !== "call" && line.kind !== "new_tools");
  const added = lines.filter((line) => line.kind === "new_tools");
  return { start: withAllTools(start, added), calls, hands };
}

/** What an agent came by later it has from the start: nobody called it before it was there. */
const withAllTools = (start: RecordedStart, added: readonly RecordedNewTools[]): RecordedStart => ({
  ...start,
  agents: start.agents.map((agent) => {
    const later = added.flatMap(({ agent_id, tools }) => (agent_id === agent.id ? tools : []));
    return later.length === 0 ? agent : { ...agent, tools: [...(agent.tools ?? []), ...later] };
  }),
});
