import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { ANSWER, converse, openAdapter, ordinaryTool, recordScript, type Script } from "./conversation.js";
import { loopByHand } from "./floor.js";

const TOOL_TURNS = 10;

/** Ten tool turns and a text, on the same transport. */
export async function timeTurns({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.turns")) return [];
  const script = await recordScript();
  const times = quick ? 1 : 40;
  const perTurn = async (converseOnce: () => Promise<void>): Promise<number> => {
    const ms = await cpuMsOf(async () => {
      for (let time = 0; time < times; time++) await converseOnce();
    });
    return ms / (times * (TOOL_TURNS + 1));
  };
  const taken = await measurePairs(
    () => perTurn(() => converse(openAdapter(script(TOOL_TURNS)), ordinaryTool("Saved."))),
    () => perTurn(() => converseByHand(script)),
    pairs,
  );
  return [
    timed(
      { bench: "loop.turns", metric: "CPU of a turn", unit: "ms" },
      comparePairs(taken, (ms) => ms),
      { must: 2.2, aim: 1.4 },
    ),
  ];
}

async function converseByHand(script: Script): Promise<void> {
  if ((await loopByHand(script(TOOL_TURNS), () => "Saved.")) !== ANSWER) throw new Error("The conversation did not end with the answer.");
}

/** 200 responses, the most a conversation may have: 199 with a call, and the answer. */
const LONG_TURNS = 199;
/** Turns that a sample is the mean of. */
const WINDOW = 10;

interface TurnCosts {
  readonly early: number;
  readonly late: number;
}

/** The last turns of a long conversation against its first ones; writing the request's body, which must grow, does not count. */
export async function timeLongConversation({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.conversation")) return [];
  const script = await recordScript();
  const times = quick ? 1 : 3;
  let latest: TurnCosts = { early: Number.NaN, late: Number.NaN };
  const taken = await measurePairs(
    async () => {
      let early = 0;
      let late = 0;
      for (let time = 0; time < times; time++) {
        const costs = await longConversation(script, quick ? 30 : LONG_TURNS);
        early += costs.early / times;
        late += costs.late / times;
      }
      latest = { early, late };
      return late;
    },
    // Of the same conversations, so that nothing but the length differs.
    () => Promise.resolve(latest.early),
    pairs,
  );
  const name = { bench: "loop.conversation", metric: "CPU of a late turn", unit: "ms" };
  return [
    timed(
      name,
      comparePairs(taken, (ms) => ms),
      { must: 1.3, aim: 1.05 },
    ),
  ];
}

async function longConversation(script: Script, turns: number): Promise<TurnCosts> {
  const costs: number[] = [];
  const bodies: string[] = [];
  let askedAtMs = cpuMs();
  const fetch = script(turns, (body) => {
    costs.push(cpuMs() - askedAtMs);
    if (costs.length === 1 + WINDOW || costs.length === turns + 1) bodies.push(body);
    askedAtMs = cpuMs();
  });
  await converse(openAdapter(fetch), ordinaryTool("x".repeat(2048)));
  const [early = 0, late = 0] = bodies.map(writingMs);
  // The first request has no turn before it.
  return { early: mean(costs.slice(1, 1 + WINDOW)) - early, late: mean(costs.slice(-WINDOW)) - late };
}

/** What it costs to write this body as JSON. Taken afterwards, so that its garbage is nobody's. */
function writingMs(body: string): number {
  const value: unknown = JSON.parse(body);
  const startedAtMs = cpuMs();
  for (let time = 0; time < WINDOW; time++) JSON.stringify(value);
  return (cpuMs() - startedAtMs) / WINDOW;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
