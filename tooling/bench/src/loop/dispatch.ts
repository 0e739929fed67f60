import type { BackendAdapter, BackendEvent, Hook, Part } from "@massgen/contracts";
import { basicCapabilities } from "@massgen/core";
import { createPolicy } from "@massgen/policy";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { cpuMsOf } from "../harness/cpu-time.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { ANSWER, converse, ordinaryTool, save } from "./conversation.js";

/** What one call more in a response costs, from the model's call to its result in the conversation, above the tool's own function. */
export async function timeDispatch({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.tools")) return [];
  const calls = quick ? 10 : 100;
  const times = quick ? 1 : 30;
  const tool = ordinaryTool("Saved.");
  const microsecondsPerCall = (ms: number): number => (ms * 1000) / (calls * times);
  const conversations = (count: number): Promise<number> =>
    cpuMsOf(async () => {
      for (let time = 0; time < times; time++) await converse(callingAtOnce(count), tool, GUARDED);
    });
  const taken = await measurePairs(
    async () => microsecondsPerCall((await conversations(calls + 1)) - (await conversations(1))),
    async () => microsecondsPerCall(await cpuMsOf(() => callDirectly(calls * times))),
    pairs,
  );
  const name = { bench: "loop.tools", metric: "CPU of a call", unit: "µs" };
  return [
    timed(
      name,
      comparePairs(taken, (us) => us),
      { must: 150, aim: 40 },
      "difference",
    ),
  ];
}

/** A call is judged by the permissions of a run and asked about by one hook, which has nothing against it. */
const GUARDED = {
  permissions: createPolicy({ home: null, agents: new Map([["ada", { workspace: null, unconfined: "allow" as const }]]) }),
  hooks: [
    {
      name: "bench",
      at: "tool.before",
      timeoutMs: 30_000,
      onError: "deny",
      run: () => Promise.resolve({ decision: "allow" }),
    } satisfies Hook,
  ],
};

async function callDirectly(times: number): Promise<void> {
  const { run } = ordinaryTool("Saved.");
  const context = { agent: "ada", callId: "1", signal: new AbortController().signal, progress: () => {} };
  // The tool looks at nothing it is given.
  for (let time = 0; time < times; time++) await run({ content: "note" }, context as unknown as Parameters<typeof run>[1]);
}

/** A model that calls the tool this often in its first response and answers in the second; without a wire. */
function callingAtOnce(count: number): BackendAdapter {
  return {
    specVersion: 1,
    id: "bench",
    model: "bench",
    capabilities: basicCapabilities,
    async *stream({ messages }): AsyncGenerator<BackendEvent> {
      yield { type: "turn_start", model: "bench", warnings: [] };
      if (messages.some(({ role }) => role === "tool")) {
        yield { type: "text_delta", text: ANSWER };
        yield { type: "turn_end", reason: "stop", message: { role: "assistant", parts: [{ type: "text", text: ANSWER }] }, usage: null };
        return;
      }
      const parts = Array.from({ length: count }, (_, i): Extract<Part, { type: "tool_call" }> => {
        return { type: "tool_call", callId: `call_${i}`, tool: save.name, input: { content: "note" } };
      });
      for (const part of parts) yield { ...part, executedBy: "host" };
      yield { type: "turn_end", reason: "tool_calls", message: { role: "assistant", parts }, usage: null };
    },
    dispose: () => Promise.resolve(),
  };
}
