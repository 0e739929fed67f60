import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTempFolder } from "../files/trees.js";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Result, timed } from "../harness/metric.js";
import { openVendor } from "../read/open-vendor.js";
import { findBuiltCli } from "../start/built-cli.js";
import { pipeScript } from "./floor.js";
import { timeHealth, weighHeld } from "./held.js";
import { timeLatency } from "./latency.js";
import { costsHidden, type Listening, startListening } from "./listening.js";
import { type Served, startServing } from "./serving.js";
import { growWatchers, timeFanout, timeSlowReader } from "./watchers.js";

const CLIENTS = 16;
/** What the vendor answers. */
const TOKENS = 100;

export const serve: Benchmark = {
  name: "serve",
  kind: "timed",
  async run(options) {
    const cli = findBuiltCli();
    const missing = "missing" in cli ? cli.missing : costsHidden;
    if (missing !== null || "missing" in cli) return [{ bench: "serve", skipped: missing ?? "" }];
    const serving = (baseUrl: string): Promise<Served> => startServing(cli.path, baseUrl, 1_100);
    const { wants } = options;
    return [
      ...(await inTempFolder((folder) => timeCompletions(cli.path, folder, options))),
      ...(wants("serve.latency") ? await timeLatency(options, serving) : []),
      ...(wants("serve.open-streams") ? [await weighHeld(options, serving)] : []),
      ...(wants("serve.fanout") ? await timeFanout(options, serving) : []),
      ...(wants("serve.slow-reader") ? await timeSlowReader(options, serving) : []),
      ...(wants("serve.health-under-load") ? [await timeHealth(options, serving)] : []),
    ];
  },
};

/** `grow.watchers`: what an event costs with many who watch. */
export async function timeWatchers(options: BenchmarkOptions): Promise<readonly Result[]> {
  const cli = findBuiltCli();
  const missing = "missing" in cli ? cli.missing : costsHidden;
  if (missing !== null || "missing" in cli) return [{ bench: "grow.watchers", skipped: missing ?? "" }];
  return growWatchers(options, (baseUrl) => startServing(cli.path, baseUrl, 1_100));
}

/** A completion of one agent, with its log, artefacts and status on the disk, over a pipe to the same vendor. */
async function timeCompletions(cli: string, folder: string, { quick, pairs, wants }: BenchmarkOptions): Promise<readonly Result[]> {
  const kinds = [
    { bench: "serve.json", stream: false, must: 10, aim: 5 },
    { bench: "serve.stream", stream: true, must: 9, aim: 5 },
  ].filter(({ bench }) => wants(bench));
  if (kinds.length === 0) return [];
  const vendor = await openVendor({ tokens: TOKENS, tokensPerSecond: 0 });
  const open: Listening[] = [];
  try {
    const baseUrl = vendor.addresses.chat_completions;
    const agents = [{ id: "solo", backend: { type: "chatcompletion", model: "bench-model", base_url: baseUrl, api_key: "bench" } }];
    writeFileSync(join(folder, "team.yaml"), JSON.stringify({ agents }));
    writeFileSync(join(folder, "pipe.mjs"), pipeScript(baseUrl));
    const serving = ["serve", "--config", "team.yaml", "--port", "0", "--max-concurrent", String(CLIENTS)];
    const ours = await startListening({ args: [cli, ...serving], cwd: folder });
    open.push(ours);
    const pipe = await startListening({ args: [join(folder, "pipe.mjs")], cwd: folder });
    open.push(pipe);
    const requests = quick ? CLIENTS : 10 * CLIENTS;
    const results: Result[] = [];
    for (const { bench, stream, must, aim } of kinds) {
      const taken = await measurePairs(
        () => cpuPerRequest(ours, "massgen", stream, requests),
        () => cpuPerRequest(pipe, "bench-model", stream, requests),
        pairs,
      );
      const name = { bench, variant: `${CLIENTS} clients`, metric: "CPU for a request", unit: "ms" };
      results.push(
        timed(
          name,
          comparePairs(taken, (ms) => ms),
          { must, aim },
        ),
      );
    }
    return results;
  } finally {
    for (const server of open) await server.close();
    await vendor.close();
  }
}

async function cpuPerRequest(server: Listening, model: string, stream: boolean, requests: number): Promise<number> {
  const before = server.cpuMs();
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0) await ask(server.address, model, stream);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (server.cpuMs() - before) / requests;
}

async function ask(address: string, model: string, stream: boolean): Promise<void> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Which cache policy fits?" }], stream }),
  });
  const text = await response.text();
  // What fails is quick: it must not count as fast.
  if (!response.ok || !text.includes("answer:") || (stream && !text.includes("[DONE]")))
    throw new Error(`A completion went wrong (${response.status}): ${text.slice(0, 300)}`);
}
