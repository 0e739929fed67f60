import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import type { Result } from "../harness/metric.js";
import type { Command } from "../harness/run-process.js";

interface Started {
  readonly healthMs: number;
  /** `NaN` where the system does not say. */
  readonly idleRssMiB: number;
}

/** Idle is what is left when whatever starting left behind has been done. */
const IDLE_AFTER_MS = 1_000;

/** From the start of the process until `GET /health` has answered, and what it holds then. */
export async function timeServe(cli: string, folder: string, options: BenchmarkOptions): Promise<readonly Result[]> {
  const cwd = join(folder, "serve");
  mkdirSync(cwd);
  const script = join(cwd, "floor.mjs");
  writeFileSync(script, oneRoute(findFastify()));
  const team =
    "agents:\n  - id: ada\n    backend: { type: chatcompletion, model: bench-model, base_url: 'http://127.0.0.1:9', api_key: bench }\n";
  writeFileSync(join(cwd, "team.yaml"), team);
  const pairs = await measurePairs(
    () => startServer({ args: [cli, "serve", "--config", "team.yaml", "--port", "0"], cwd }),
    () => startServer({ args: [script], cwd }),
    options.pairs,
  );
  const common = { bench: "start.serve", variant: "", better: "lower" } as const;
  return [
    {
      ...{ ...common, metric: "until /health", unit: "ms", ...comparePairs(pairs, ({ healthMs }) => healthMs) },
      ...({ judged: "ratio", must: 1.5, aim: 1.2 } as const),
    },
    {
      ...{ ...common, metric: "RSS when idle", unit: "MiB", ...comparePairs(pairs, ({ idleRssMiB }) => idleRssMiB) },
      ...({ judged: "difference", must: 20, aim: 8 } as const),
    },
  ];
}

async function startServer({ args, cwd }: Command): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  try {
    const address = await addressOf(child.stderr.setEncoding("utf8"), ended);
    const { ok } = await fetch(`${address}/health`);
    if (!ok) throw new Error(`node ${args.join(" ")} is not well.`);
    const healthMs = performance.now() - startedAt;
    await pause(IDLE_AFTER_MS);
    return { healthMs, idleRssMiB: rssOf(child.pid ?? 0) };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** What it says on standard error: `… listening on http://host:port`. */
async function addressOf(stderr: AsyncIterable<string>, ended: Promise<unknown>): Promise<string> {
  let said = "";
  const read = (async () => {
    for await (const text of stderr) {
      said += text;
      const [, address] = /listening on (\S+)\n/.exec(said) ?? [];
      if (address !== undefined) return address;
    }
    return null;
  })();
  const address = await Promise.race([read, ended.then(() => null)]);
  if (address === null) throw new Error(`A server ended before it listened:\n${said}`);
  return address;
}

function rssOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** The server's own copy, so that floor and ours load the same files. */
function findFastify(): string {
  const server = fileURLToPath(new URL("../../../../apps/server/package.json", import.meta.url));
  return pathToFileURL(createRequire(server).resolve("fastify")).href;
}

const oneRoute = (fastify: string): string => `
import fastify from ${JSON.stringify(fastify)};
const app = fastify();
app.get("/health", () => ({ status: "ok" }));
process.stderr.write("listening on " + (await app.listen({ host: "127.0.0.1", port: 0 })) + "\\n");
`;
