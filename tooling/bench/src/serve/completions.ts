import { writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Result, type Targets, timed } from "../harness/metric.js";
import { findPeer } from "../peers/find-peer.js";
import { openVendor } from "../read/open-vendor.js";
import { pipeScript } from "./floor.js";
import { type Listening, startListening } from "./listening.js";
import { PORTKEY, portkeyHeaders, startPortkey } from "./portkey.js";
import { send, textOf } from "./requests.js";

const CLIENTS = 16;
/** What the vendor answers. */
const TOKENS = 100;

/** What stands before the vendor, and how it is asked. */
interface Road {
  readonly server: Listening;
  readonly model: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const FLOORS = [
  { bench: "serve.json", stream: false, targets: { must: 10, aim: 5 } },
  { bench: "serve.stream", stream: true, targets: { must: 9, aim: 5 } },
] as const;

const PEERS = [
  { variant: "JSON", stream: false, targets: { must: 0.75, aim: 0.4 } },
  { variant: "streamed", stream: true, targets: { must: 0.5, aim: 0.25 } },
] as const;

/** A completion of one agent, with its log, artefacts and status on the disk, over a pipe and over another gateway to the same vendor. */
export async function timeCompletions(cli: string, folder: string, options: BenchmarkOptions): Promise<readonly Result[]> {
  const floors = FLOORS.filter(({ bench }) => options.wants(bench));
  const wantsPeer = options.wants("serve.peer");
  if (floors.length === 0 && !wantsPeer) return [];
  const peer = wantsPeer ? await findPeer(PORTKEY, { install: options.peers }) : null;
  const results: Result[] = peer !== null && "missing" in peer ? [{ bench: "serve.peer", skipped: peer.missing }] : [];
  if (floors.length === 0 && results.length > 0) return results;

  const vendor = await openVendor({ tokens: TOKENS, tokensPerSecond: 0 });
  const open: Listening[] = [];
  const opened = async (starting: Promise<Listening>): Promise<Listening> => {
    const server = await starting;
    open.push(server);
    return server;
  };
  try {
    const baseUrl = vendor.addresses.chat_completions;
    const ours: Road = { server: await opened(startOurs(cli, folder, baseUrl)), model: "massgen" };
    if (floors.length > 0) {
      writeFileSync(join(folder, "pipe.mjs"), pipeScript(baseUrl));
      const pipe: Road = { server: await opened(startListening({ args: [join(folder, "pipe.mjs")], cwd: folder })), model: "bench-model" };
      for (const { bench, stream, targets } of floors)
        results.push(await compare({ bench, variant: "" }, stream, targets, ours, pipe, options));
    }
    if (peer !== null && "program" in peer) {
      const server = await opened(startPortkey(peer.program, folder));
      const portkey: Road = { server, model: "bench-model", headers: portkeyHeaders(baseUrl) };
      for (const { variant, stream, targets } of PEERS) {
        const name = { bench: "serve.peer", variant: `${variant}, Portkey ${PORTKEY.version}` };
        results.push(await compare(name, stream, targets, ours, portkey, options));
      }
    }
    return results;
  } finally {
    for (const server of open) await server.close();
    await vendor.close();
  }
}

function startOurs(cli: string, folder: string, baseUrl: string): Promise<Listening> {
  const agents = [{ id: "solo", backend: { type: "chatcompletion", model: "bench-model", base_url: baseUrl, api_key: "bench" } }];
  writeFileSync(join(folder, "team.yaml"), JSON.stringify({ agents }));
  const args = ["serve", "--config", "team.yaml", "--port", "0", "--max-concurrent", String(CLIENTS)];
  return startListening({ args: [cli, ...args], cwd: folder });
}

async function compare(
  { bench, variant }: { readonly bench: string; readonly variant: string },
  stream: boolean,
  targets: Targets,
  ours: Road,
  other: Road,
  { quick, pairs }: BenchmarkOptions,
): Promise<Result> {
  const requests = quick ? CLIENTS : 10 * CLIENTS;
  const taken = await measurePairs(
    () => cpuPerRequest(ours, stream, requests),
    () => cpuPerRequest(other, stream, requests),
    pairs,
  );
  const clients = `${CLIENTS} clients`;
  return timed(
    { bench, variant: variant === "" ? clients : `${variant}, ${clients}`, metric: "CPU for a request", unit: "ms" },
    comparePairs(taken, (ms) => ms),
    targets,
  );
}

async function cpuPerRequest(road: Road, stream: boolean, requests: number): Promise<number> {
  // Of this turn alone: a server closes what was idle while the other had its turn.
  const agent = new Agent({ keepAlive: true });
  const before = road.server.cpuMs();
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0) await ask(road, stream, agent);
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return (road.server.cpuMs() - before) / requests;
  } finally {
    agent.destroy();
  }
}

async function ask({ server, model, headers = {} }: Road, stream: boolean, agent: Agent): Promise<void> {
  const body = { model, messages: [{ role: "user", content: "Which cache policy fits?" }], stream };
  const text = await textOf(await send(`${server.address}/v1/chat/completions`, "POST", body, { agent, headers }));
  // What fails is quick: it must not count as fast.
  if (!text.includes("answer:") || (stream && !text.includes("[DONE]"))) throw new Error(`A completion went wrong: ${text.slice(0, 300)}`);
}
