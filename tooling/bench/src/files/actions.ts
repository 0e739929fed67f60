import type { BackendAdapter, BackendEvent, Part } from "@massgen/contracts";
import { basicCapabilities, coordinate } from "@massgen/core";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";

/** Answers of every agent. */
const ANSWERS = 3;
const FEWEST = 5;

/** What a fact costs with many agents, over what it costs with few: three answers each, a vendor that takes no time. */
export async function timeActions({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.actions")) return [];
  const metrics: Metric[] = [];
  for (const agents of quick ? [6] : [10, 25, 50, 80]) {
    const taken = await measurePairs(
      () => cpuPerFact(agents, 1),
      () => cpuPerFact(FEWEST, quick ? 1 : Math.ceil(agents / FEWEST)),
      pairs,
    );
    const name = { bench: "grow.actions", variant: `${agents} agents over ${FEWEST}`, metric: "CPU of a fact", unit: "µs" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (us) => us),
        { must: 1.2, aim: 1.05 },
      ),
    );
  }
  return metrics;
}

async function cpuPerFact(agents: number, times: number): Promise<number> {
  let facts = 0;
  const ms = await cpuMsOf(async () => {
    for (let time = 0; time < times; time++) {
      const run = coordinate({
        question: "Which cache policy fits?",
        agents: Array.from({ length: agents }, (_, index) => ({ id: `a${index}`, backend: prompt(index) })),
        policy: { maxAnswersPerAgent: ANSWERS, fairnessLeadCap: null },
        timeZone: "UTC",
      });
      const { status } = await run.outcome;
      if (status !== "completed") throw new Error(`The run ended as ${status}.`);
      facts += run.state().seq;
    }
  });
  return (ms * 1000) / facts;
}

/** Answers three times, each time another text, and votes whenever it may do nothing else. */
function prompt(index: number): BackendAdapter {
  let answers = 0;
  return {
    specVersion: 1,
    id: "bench",
    model: "bench",
    capabilities: basicCapabilities,
    async *stream(): AsyncGenerator<BackendEvent> {
      yield { type: "turn_start", model: "bench", warnings: [] };
      const call: Extract<Part, { type: "tool_call" }> =
        answers < ANSWERS
          ? { type: "tool_call", callId: `c${answers}`, tool: "new_answer", input: { content: `Answer ${answers} of ${index}.` } }
          : { type: "tool_call", callId: "v", tool: "vote", input: { agent_id: "agent1", reason: "good" } };
      answers += 1;
      yield { ...call, executedBy: "host" };
      yield { type: "turn_end", reason: "tool_calls", message: { role: "assistant", parts: [call] }, usage: null };
    },
    dispose: () => Promise.resolve(),
  };
}
