import { decide, defaultPolicy, evolve, initialState, outstanding, type Policy, type RunState, type Signal } from "@massgen/kernel";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";

const FEW = 3;
/** Answers of every agent. */
const ANSWERS = 3;
const POLICY: Policy = { ...defaultPolicy, maxAnswersPerAgent: ANSWERS };

/** What it costs to judge a signal, fold what came of it and ask what is called for now: per agent of the team. */
export async function timeDecide({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("kernel.decide")) return [];
  const metrics: Metric[] = [];
  for (const agents of quick ? [6] : [50, 500]) {
    const taken = await measurePairs(
      () => cpuPerSignalAndAgent(agents, 1),
      () => cpuPerSignalAndAgent(FEW, quick ? 1 : 100),
      pairs,
    );
    const name = { bench: "kernel.decide", variant: `${agents} agents over ${FEW}`, metric: "CPU of a signal, per agent", unit: "µs" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (us) => us),
        { must: 1.3, aim: 1.1 },
      ),
    );
  }
  return metrics;
}

async function cpuPerSignalAndAgent(agents: number, times: number): Promise<number> {
  let signals = 0;
  const ms = await cpuMsOf(() => {
    for (let time = 0; time < times; time++) signals += playKernel(agents);
    return Promise.resolve();
  });
  return (ms * 1000) / signals / agents;
}

/** Plays a whole run by signals alone; returns how many there were. */
function playKernel(agents: number): number {
  let state: RunState = initialState;
  let signals = 0;
  const take = (signal: Signal): void => {
    state = decide(state, signal, POLICY).reduce(evolve, state);
    signals += 1;
  };
  const cards = Array.from({ length: agents }, (_, at) => ({ id: `a${at}`, anon: `agent${at + 1}` as const, backend: "b", model: "m" }));
  take({ type: "start", question: "q", agents: cards, seed: 1, mode: "voting" });
  while (state.phase !== "finished") {
    const work = outstanding(state, POLICY).find(({ kind }) => kind !== "timer");
    if (work?.kind === "present") take({ type: "presented", agent: work.agent, content: "final" });
    else if (work?.kind === "run_round") take(claimOf(state, work.agent, work.round));
    else throw new Error(`The run stands still in ${state.phase}.`);
  }
  return signals;
}

function claimOf(state: RunState, agent: string, round: number): Signal {
  const { answers = 0 } = state.agents[agent] ?? {};
  const text = `Answer ${answers} of ${agent}.`;
  return answers < ANSWERS
    ? { type: "answer_offered", agent, round, content: text, fingerprint: text, snapshot: null }
    : { type: "vote_offered", agent, round, target: "agent1", reason: "good", confidence: null };
}
