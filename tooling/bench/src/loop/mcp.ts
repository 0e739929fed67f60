import { fileURLToPath } from "node:url";
import { systemAmbient } from "@massgen/core";
import { type McpHub, type McpServer, openHub } from "@massgen/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";

const SERVER = fileURLToPath(new URL("../../src/loop/echo-server.mjs", import.meta.url));

/** Servers of others, through our hub: one call, and the start of five at once. */
export async function timeMcp(options: BenchmarkOptions): Promise<readonly Metric[]> {
  return [...(await timeCalls(options)), ...(await timeStarts(options))];
}

async function timeCalls({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.mcp")) return [];
  const calls = quick ? 20 : 1_000;
  const hub = openServers([serverOf("echo", 0)]);
  const client = new Client({ name: "bench", version: "1.0.0" });
  await Promise.all([
    hub.ready,
    client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER, "0"], stderr: "ignore" })),
  ]);
  const [tool] = hub.tools();
  const ambient = systemAmbient();
  const { signal } = new AbortController();
  const input = { text: "The quick brown fox jumps over the lazy dog." };
  const msPerCall = async (call: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    for (let count = 0; count < calls; count++) await call();
    return (performance.now() - startedAt) / calls;
  };
  const taken = await measurePairs(
    () => msPerCall(() => tool!.run(input, { agent: "ada", callId: "1", channel: "work", ambient, signal, progress: () => {} })),
    () => msPerCall(() => client.callTool({ name: "echo", arguments: input })),
    pairs,
  );
  await Promise.all([hub.close(), client.close()]);
  return [
    timed(
      { bench: "loop.mcp", metric: "wall of a call", unit: "ms" },
      comparePairs(taken, (ms) => ms),
      { must: 1.35, aim: 1.1 },
    ),
  ];
}

/** What a server waits before it answers `initialize`. */
const WAIT_MS = 500;

async function timeStarts({ pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("loop.mcp-start")) return [];
  const startMs = async (count: number): Promise<number> => {
    const startedAt = performance.now();
    const hub = openServers(Array.from({ length: count }, (_, index) => serverOf(`s${index}`, WAIT_MS)));
    await hub.ready;
    const ms = performance.now() - startedAt;
    await hub.close();
    return ms;
  };
  const taken = await measurePairs(
    () => startMs(5),
    () => startMs(1),
    pairs,
  );
  return [
    timed(
      { bench: "loop.mcp-start", metric: "until five are ready", unit: "ms" },
      comparePairs(taken, (ms) => ms),
      { must: 1.6, aim: 1.25 },
    ),
  ];
}

function openServers(servers: readonly McpServer[]): McpHub {
  const host = { version: "0.0.0", env: { PATH: process.env["PATH"] }, fetch, log: () => {} };
  return openHub(servers, host, new AbortController().signal);
}

const serverOf = (name: string, waitMs: number): McpServer => ({
  name,
  transport: { kind: "stdio", argv: [process.execPath, SERVER, String(waitMs)], cwd: process.cwd(), env: {} },
  connectTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  maxRetries: 0,
  concurrency: 4,
  allowedTools: null,
  excludedTools: [],
  expectedTools: [],
  trust: "low",
  isOptional: false,
  isPinned: false,
  readOnlyTools: [],
  destructiveTools: [],
  exposesResources: false,
});
