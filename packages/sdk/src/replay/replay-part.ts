import { setImmediate as nextTurn } from "node:timers/promises";
import type { CoordinationEvent, EventStore, Recorded } from "@massgen/contracts";
import { type Agent, coordinate, memoryStore, seededRandom, systemAmbient } from "@massgen/core";
import { defaultPolicy, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";
import type { RecordedSettings, RecordedStart } from "./call-record.js";
import type { RecordedPart } from "./read-record.js";
import { createRecordedOrder } from "./recorded-order.js";
import { createReplayClock } from "./replay-clock.js";
import { replayedBackend } from "./replayed-backend.js";
import { replayedHands, replayedTool } from "./replayed-hands.js";

/** Where log and engine part. */
export interface Difference {
  /** Number of the record at which they do. */
  readonly seq: number;
  readonly recorded: readonly CoordinationEvent[];
  /** `null`: the engine came to nothing more. */
  readonly replayed: readonly CoordinationEvent[] | null;
}

/** What one process did with a run. */
export interface PartOfRun {
  readonly record: RecordedPart;
  /** What it found in the log. */
  readonly before: readonly Recorded[];
  /** What it added. */
  readonly added: readonly Recorded[];
}

export interface ReplayedPart {
  readonly records: readonly Recorded[];
  readonly difference: Difference | null;
}

/** Turns of the event loop in which nothing happens after which only time can bring something. */
const QUIET_TURNS = 3;

/** Runs the engine from what one process found to what it left. An engine that goes on from there has nothing it may judge. */
export async function replayPart({ record: { start, calls, hands }, before, added }: PartOfRun): Promise<ReplayedPart> {
  const decisions = byDecision(added);
  const clock = createReplayClock(added[0]?.at ?? 0);
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
    store: unhurried(await storeWith(start.run_id, before)),
    ambient: { ...systemAmbient({ seed: settings.seed ?? 0 }), clock, random: seededRandom(settings.seed ?? 0) },
    order,
  });
  state = run.state;
  const again: Recorded[] = [];
  void (async () => {
    for await (const event of run) if ("seq" in event && event.seq > before.length) again.push(event);
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

/** What a person did is on record only as what came of it. */
function wishBehind(fact: Recorded | undefined): Signal | null {
  if (fact?.type === "cancelled") return { type: "cancel_requested", reason: fact.reason, texts: {} };
  if (fact?.type === "input_received") return { type: "input_received", id: fact.id, text: fact.text, agents: fact.agents };
  return fact?.type === "answer_now_requested" ? { type: "answer_now_requested", reason: fact.reason } : null;
}

async function storeWith(runId: string, records: readonly Recorded[]): Promise<EventStore> {
  const store = memoryStore();
  if (records.length > 0) await store.append(runId, 0, records, "buffered");
  return store;
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
