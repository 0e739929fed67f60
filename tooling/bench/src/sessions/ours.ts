import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listSessions, openConversation, sessionPlaces } from "@massgen/sdk";
import { startSimulator } from "@massgen/simulator";
import { inTempFolder } from "../files/trees.js";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";

export const sessions: Benchmark = {
  name: "sessions",
  kind: "timed",
  run: async (options) => (options.wants("sessions.list") ? timeList(options) : []),
};

/** The newest ten of many sessions, over reading the entries of a folder with as many. */
async function timeList({ quick, pairs }: BenchmarkOptions): Promise<readonly Metric[]> {
  const count = quick ? 500 : 10_000;
  return inTempFolder(async (folder) => {
    const places = sessionPlaces({ cwd: folder, env: { HOME: folder } });
    fill(folder, count);
    const taken = await measurePairs(
      () => wall(() => listSessions(places, 10)),
      () => wall(async () => readdirSync(join(folder, ".massgen", "sessions"), { withFileTypes: true })),
      pairs,
    );
    const name = { bench: "sessions.list", variant: `${count} sessions`, metric: "wall time", unit: "ms" };
    return [
      timed(
        name,
        comparePairs(taken, (ms) => ms),
        { must: 5, aim: 2 },
      ),
    ];
  });
}

function fill(folder: string, count: number): void {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = `session_20260101_${String(index).padStart(6, "0")}`;
    const of = join(folder, ".massgen", "sessions", id);
    mkdirSync(of, { recursive: true });
    return JSON.stringify({
      session_id: id,
      start_time: new Date(1_767_225_600_000 + index * 1000).toISOString(),
      end_time: null,
      status: "completed",
      config_path: "team.yaml",
      model: "gpt-5-mini, claude-sonnet-4-5",
      description: `Which cache policy fits the load of service ${index}?`,
      log_directory: join(folder, ".massgen", "massgen_logs", id),
      subagent: false,
      parent_session_id: null,
      folder: of,
      turns: 3,
    });
  });
  writeFileSync(join(folder, ".massgen", "sessions.json"), `{"sessions": [\n${rows.join(",\n")}\n]}\n`);
}

const TURNS = [1, 10, 100];
const ANSWER = "A cache that adapts needs no tuning. ".repeat(60);

/** Until the first request of the next turn, for each turn that is kept, over a session of one turn. */
export async function timeTurns({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.turns")) return [];
  const metrics: Metric[] = [];
  for (const turns of quick ? [10] : TURNS.slice(1)) {
    const taken = await measurePairs(
      async () => (await untilRequest(turns)) / turns,
      () => untilRequest(1),
      pairs,
    );
    const name = {
      bench: "grow.turns",
      variant: `${turns} turns over 1`,
      metric: "time to the first request, for each turn kept",
      unit: "ms",
    };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (ms) => ms),
        { must: 1.3, aim: 1.05 },
      ),
    );
  }
  return metrics;
}

/** Milliseconds. */
const untilRequest = (turns: number): Promise<number> =>
  inTempFolder(async (folder) => {
    for (let turn = 1; turn <= turns; turn++) keepTurn(join(folder, ".massgen", "sessions", "bench", `turn_${turn}`), turn);
    let arrivedMs = 0;
    const simulator = await startSimulator({
      respond: () => {
        arrivedMs ||= performance.now();
        return { kind: "message", text: "Yes." };
      },
    });
    const backend = { type: "chatcompletion", model: "m", base_url: simulator.baseUrl("chat_completions") };
    const startedMs = performance.now();
    const config = { agents: [{ id: "ada", backend }] };
    const conversation = await openConversation({ config, sessionId: "bench", env: { HOME: folder }, cwd: folder });
    await conversation.ask("And now?");
    await conversation.close();
    await simulator.close();
    return arrivedMs - startedMs;
  });

function keepTurn(folder: string, turn: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "answer.txt"), ANSWER);
  const metadata = { turn, timestamp: "2026-01-01T00:00:00Z", winning_agent: "ada", task: `Question ${turn}?`, status: "complete" };
  writeFileSync(join(folder, "metadata.json"), JSON.stringify(metadata));
}

async function wall(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
