import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import type { Metric, Result } from "../harness/metric.js";
import { type Command, costOfNode, runNode } from "../harness/run-process.js";
import { bareNode, findSdk, shortestSdkScript } from "./floor.js";

const QUESTION = "Which cache policy fits a read-heavy service?";
/** All it takes; the vendor answers at once. */
const KEY = { OPENAI_API_KEY: "bench", NO_COLOR: "1" } as const;

/** What every answer of the vendor begins with. */
const FIRST_WORD = "final";

interface FirstByte {
  readonly requestMs: number;
  readonly tokenMs: number;
}

/** A vendor that answers a single agent at once, and a team by the rules: with an answer, a vote, a presentation. */
function openVendor(): Promise<Simulator> {
  return startSimulator({
    respond: ({ tools, toolChoice, messages }) => {
      if (!tools.includes("vote") || toolChoice === "none") return { kind: "message", text: writeProse(50, FIRST_WORD) };
      const last = messages.map((message) => message.text).join("\n");
      const call = last.includes("<answer from=")
        ? { name: "vote", input: { agent_id: "agent1", reason: "Right." } }
        : { name: "new_answer", input: { content: writeProse(50, "answer") } };
      return { kind: "message", toolCalls: [call] };
    },
  });
}

export async function timeFirstByte(cli: string, folder: string, options: BenchmarkOptions): Promise<readonly Result[]> {
  if (!options.wants("start.first-byte") && !options.wants("start.first-byte-node")) return [];
  const vendor = await openVendor();
  try {
    const cwd = join(folder, "first-byte");
    mkdirSync(cwd);
    const baseUrl = vendor.baseUrl("chat_completions");
    const script = join(cwd, "floor.mjs");
    writeFileSync(script, shortestSdkScript(findSdk(), baseUrl, QUESTION));
    const ours: Command = {
      args: [cli, "--backend", "openai", "--model", "bench-model", "--base-url", baseUrl, "--automation", QUESTION],
      cwd,
      env: KEY,
    };
    const floor: Command = { args: [script], cwd, env: KEY };
    const first = await measurePairs(
      () => firstByte(ours, vendor),
      () => firstByte(floor, vendor),
      options.pairs,
    );
    const cost = await measurePairs(
      () => costOfNode(ours),
      () => costOfNode(floor),
      options.pairs,
    );
    const node = await measurePairs(
      () => firstByte(ours, vendor),
      async () => ({ requestMs: (await runNode(bareNode)).wallMs, tokenMs: 0 }),
      options.pairs,
    );
    const common = { variant: "", better: "lower" } as const;
    const none = { must: null, aim: null } as const;
    return [
      {
        ...common,
        bench: "start.first-byte",
        metric: "request",
        unit: "ms",
        ...comparePairs(first, ({ requestMs }) => requestMs),
        judged: "ratio",
        must: 1.35,
        aim: 0.9,
      },
      {
        ...common,
        bench: "start.first-byte",
        metric: "token",
        unit: "ms",
        ...comparePairs(first, ({ tokenMs }) => tokenMs),
        judged: "ratio",
        ...none,
      },
      {
        ...common,
        bench: "start.first-byte",
        metric: "CPU of the run",
        unit: "ms",
        ...comparePairs(cost, ({ cpuMs }) => cpuMs),
        judged: "ratio",
        ...none,
      },
      {
        ...common,
        bench: "start.first-byte",
        metric: "peak RSS",
        unit: "MiB",
        ...comparePairs(cost, ({ peakRssMiB }) => peakRssMiB),
        judged: "difference",
        must: 15,
        aim: -10,
      },
      {
        ...common,
        bench: "start.first-byte-node",
        metric: "request",
        unit: "ms",
        ...comparePairs(node, ({ requestMs }) => requestMs),
        judged: "ratio",
        must: 5,
        aim: 3.5,
      },
    ];
  } finally {
    await vendor.close();
  }
}

/** From the start of the process to its request at the vendor, and to the first word of the answer on stdout. */
async function firstByte(command: Command, vendor: Simulator): Promise<FirstByte> {
  const before = vendor.requests.length;
  const startedAt = nowMs();
  let spokeAt = Number.NaN;
  let said = "";
  await runNode(command, (text) => {
    said += text;
    if (Number.isNaN(spokeAt) && said.includes(FIRST_WORD)) spokeAt = nowMs();
  });
  const request = vendor.requests[before];
  if (request === undefined) throw new Error(`node ${command.args.join(" ")} sent no request.`);
  return { requestMs: request.arrivedAtMs - startedAt, tokenMs: spokeAt - startedAt };
}

export async function timeTeam(cli: string, folder: string, options: BenchmarkOptions): Promise<readonly Metric[]> {
  const vendors = await Promise.all([openVendor(), openVendor(), openVendor()]);
  try {
    const cwd = join(folder, "team");
    mkdirSync(cwd);
    const command = (size: number): Command => {
      const file = join(cwd, `team-${size}.yaml`);
      writeFileSync(
        file,
        teamConfig(
          size,
          vendors.map((vendor) => vendor.baseUrl("chat_completions")),
        ),
      );
      return { args: [cli, "--config", file, "--automation", QUESTION], cwd, env: KEY };
    };
    const five = command(5);
    const one = command(1);
    const pairs = await measurePairs(
      () => lastFirstRequest(five, 5, vendors),
      () => lastFirstRequest(one, 1, vendors),
      options.pairs,
    );
    return [
      {
        bench: "start.team",
        variant: "",
        metric: "last first request",
        unit: "ms",
        ...comparePairs(pairs, (ms) => ms),
        judged: "ratio",
        better: "lower",
        must: 1.6,
        aim: 1.3,
      },
    ];
  } finally {
    await Promise.all(vendors.map((vendor) => vendor.close()));
  }
}

async function lastFirstRequest(command: Command, agents: number, vendors: readonly Simulator[]): Promise<number> {
  const before = vendors.map((vendor) => vendor.requests.length);
  const startedAt = nowMs();
  await runNode(command);
  const arrivals = vendors.flatMap((vendor, place) => vendor.requests.slice(before[place])).map((request) => request.arrivedAtMs);
  const last = arrivals.toSorted((a, b) => a - b)[agents - 1];
  if (last === undefined) throw new Error(`Fewer than ${agents} requests arrived.`);
  return last - startedAt;
}

const teamConfig = (size: number, urls: readonly string[]): string =>
  `agents:\n${Array.from({ length: size }, (_, i) => `  - id: member${i + 1}\n    backend:\n      type: chatcompletion\n      model: bench-model\n      base_url: ${urls[i % urls.length]}\n      api_key: bench\n`).join("")}`;

/** The machine's monotonic clock, the one the vendor's ledger uses. */
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
