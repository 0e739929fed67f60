import type { CoordinationEvent } from "@massgen/contracts";
import { decide, defaultPolicy, evolve, initialState, type Policy, type Signal } from "@massgen/kernel";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";

const AGENTS = 3;
/** Facts that one measurement folds at least, so that a short run is measured as well as a long one. */
const LEAST_FACTS = 300_000;

/** The log of a run, folded again: beside a reducer that keeps the least a reader of it needs, and as it gets longer. */
export async function timeFold({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("kernel.fold")) return [];
  const metrics: Metric[] = [];
  const sizes = quick ? [30] : [30, 3_000, 300_000];
  const shortest = factsOf(sizes[0]!);
  for (const size of sizes) {
    const facts = factsOf(size);
    const fold = (): Promise<number> => nsPerFact(facts, () => facts.reduce(evolve, initialState).seq, quick);
    const ownRatio = await measurePairs(fold, () => nsPerFact(facts, () => foldByHand(facts), quick), pairs);
    const name = { bench: "kernel.fold", metric: "CPU of a fact", unit: "ns" };
    metrics.push(
      timed(
        { ...name, variant: `${facts.length} facts over a reducer by hand` },
        comparePairs(ownRatio, (ns) => ns),
        { must: 2, aim: 1.3 },
      ),
    );
    if (facts.length === shortest.length) continue;
    const growth = await measurePairs(fold, () => nsPerFact(shortest, () => shortest.reduce(evolve, initialState).seq, quick), pairs);
    metrics.push(
      timed(
        { ...name, variant: `${facts.length} facts over ${shortest.length}` },
        comparePairs(growth, (ns) => ns),
        { must: 1.3, aim: 1.1 },
      ),
    );
  }
  return metrics;
}

async function nsPerFact(facts: readonly CoordinationEvent[], fold: () => number, quick: boolean): Promise<number> {
  const times = quick ? 1 : Math.max(1, Math.round(LEAST_FACTS / facts.length));
  const ms = await cpuMsOf(() => {
    for (let time = 0; time < times; time++) fold();
    return Promise.resolve();
  });
  return (ms * 1e6) / (times * facts.length);
}

/** The facts of a whole run, with as many calls of models on record as it takes to make it so long. Each an object of its own. */
function factsOf(count: number): readonly CoordinationEvent[] {
  const head = playRun(3);
  const missing = Math.max(0, count - head.length);
  const calls = Array.from({ length: missing }, (_, at): CoordinationEvent => {
    const call = { agent: `a${at % AGENTS}`, round: 0 };
    return at % 3 === 2
      ? { type: "usage_recorded", ...call, usage: { inputTokens: 9, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd: 0.001 } }
      : {
          type: "llm_call",
          ...call,
          callId: `c${at}`,
          purpose: "work",
          status: at % 3 === 0 ? "started" : "finished",
          ttftMs: 1,
          durationMs: 2,
          message: null,
        };
  });
  const middle = head.findIndex(({ type }) => type === "answer_submitted");
  return [...head.slice(0, middle), ...calls, ...head.slice(middle)];
}

const POLICY: Policy = { ...defaultPolicy, maxAnswersPerAgent: 1 };

/** Three agents answer once and vote. */
function playRun(agents: number): readonly CoordinationEvent[] {
  const ids = Array.from({ length: agents }, (_, at) => `a${at}`);
  const facts: CoordinationEvent[] = [];
  let state = initialState;
  const take = (signal: Signal): void => {
    const judged = decide(state, signal, POLICY);
    facts.push(...judged);
    state = judged.reduce(evolve, state);
  };
  const cards = ids.map((id, at) => ({ id, anon: `agent${at + 1}` as const, backend: "b", model: "m" }));
  take({ type: "start", question: "q", agents: cards, seed: 1, mode: "voting" });
  const roundOf = (agent: string): number => state.agents[agent]?.round ?? 0;
  for (const agent of ids)
    take({ type: "answer_offered", agent, round: roundOf(agent), content: `Answer of ${agent}.`, fingerprint: agent, snapshot: null });
  for (const agent of ids) take({ type: "vote_offered", agent, round: roundOf(agent), target: "agent1", reason: "good", confidence: null });
  take({ type: "presented", agent: ids[0]!, content: "final" });
  if (state.phase !== "finished") throw new Error(`The run stands still in ${state.phase}.`);
  return facts;
}

/** What anybody would write who wants to know who answered what, who votes for whom, and what it cost. */
function foldByHand(facts: readonly CoordinationEvent[]): number {
  const agents = new Map<string, { round: number; status: string; answer: string; vote: string | null; calls: number; tokens: number }>();
  let seq = 0;
  let result = "";
  let usd = 0;
  for (const fact of facts) {
    seq += 1;
    const agent = "agent" in fact && fact.agent !== null ? agents.get(fact.agent) : undefined;
    if (fact.type === "run_started")
      for (const { id } of fact.agents) agents.set(id, { round: -1, status: "waiting", answer: "", vote: null, calls: 0, tokens: 0 });
    else if (fact.type === "presentation_finished") result = fact.content;
    else if (agent === undefined) continue;
    else if (fact.type === "round_started") Object.assign(agent, { round: fact.round, status: "streaming" });
    else if (fact.type === "answer_submitted") Object.assign(agent, { answer: fact.content, status: "answered", vote: null });
    else if (fact.type === "vote_cast") Object.assign(agent, { vote: fact.target, status: "voted" });
    else if (fact.type === "llm_call" && fact.status === "started") agent.calls += 1;
    else if (fact.type === "usage_recorded") {
      agent.tokens += fact.usage.inputTokens + fact.usage.outputTokens;
      usd += fact.usage.costUsd ?? 0;
    }
  }
  return seq + result.length + usd;
}
