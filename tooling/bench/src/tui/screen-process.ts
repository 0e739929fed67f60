import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { RunEvent } from "@massgen/contracts";
import type { TuiTerminal } from "@massgen/tui";
import { agentIds, beginning, numbered, tokenAt } from "../web/watched-run.js";
import { openFloor } from "./floor.js";
import type { Report, Workload } from "./workload.js";

const TICK_MS = 10;
const SETTLE_MS = 500;
const LATE_MS = 50;

/** A screen in the terminal of this process, fed as a run would feed it; it reports on itself and leaves. */
async function main(workload: Workload): Promise<void> {
  const seen = { writes: 0, bytes: 0, frames: 0, lateFrames: 0, textBytes: 0 };
  const agents = agentIds(workload.agents);
  const screen = workload.screen === "ours" ? await openOurs(seen) : openLeast(agents, seen);
  const number = numbered();
  for (const fact of beginning(agents)) screen.show(number(fact));
  for (const agent of agents)
    screen.show(number({ type: "round_started", agent, round: 0, kind: "initial", shown: [], tools: ["new_answer"] }));
  for (const event of historyOf(workload, agents, number)) screen.show(event);
  if (workload.isOver === true) screen.end();
  await pause(SETTLE_MS);

  const before = { ...seen, cpu: process.cpuUsage(), at: performance.now() };
  let sent = 0;
  while (performance.now() - before.at < workload.seconds * 1_000) {
    const due = Math.floor(((performance.now() - before.at) / 1_000) * workload.tokensPerSecond);
    for (; sent < due; sent++)
      for (const agent of agents) {
        const text = workload.charsPerToken === undefined ? tokenAt(sent) : `${"word ".repeat(workload.charsPerToken / 5 - 1)}end.\n`;
        seen.textBytes += text.length;
        screen.show({ type: "content_delta", agent, channel: "work", text });
      }
    await pause(workload.tokensPerSecond === 0 ? 500 : TICK_MS);
  }
  const { user, system } = process.cpuUsage(before.cpu);
  globalThis.gc?.();
  const report: Report = {
    seconds: (performance.now() - before.at) / 1_000,
    cpuMs: (user + system) / 1_000,
    writes: seen.writes - before.writes,
    bytes: seen.bytes - before.bytes,
    textBytes: seen.textBytes,
    frames: seen.frames - before.frames,
    lateFrames: seen.lateFrames - before.lateFrames,
    peakRssMiB: process.resourceUsage().maxRSS / 1024,
    rssMiB: process.memoryUsage().rss / 1024 / 1024,
  };
  screen.close();
  writeFileSync(workload.report, JSON.stringify(report));
  process.exit(0);
}

interface Shown {
  readonly show: (event: RunEvent) => void;
  readonly end: () => void;
  readonly close: () => void;
}

interface Seen {
  writes: number;
  bytes: number;
  frames: number;
  lateFrames: number;
}

/** Loaded where it is shown: the floor must not carry it. */
async function openOurs(seen: Seen): Promise<Shown> {
  const { openTui, processTerminal } = await import("@massgen/tui");
  const real = processTerminal();
  const terminal: TuiTerminal = {
    ...real,
    write(text) {
      seen.writes += 1;
      seen.bytes += Buffer.byteLength(text);
      real.write(text);
    },
  };
  const tui = openTui({
    terminal,
    question: "Which cache policy fits a read-heavy service?",
    simulated: false,
    monotonic: () => performance.now(),
    every(ms, callback) {
      let dueMs = performance.now() + ms;
      const timer = setInterval(() => {
        const startedMs = performance.now();
        callback();
        seen.frames += 1;
        if (performance.now() > dueMs + LATE_MS) seen.lateFrames += 1;
        dueMs = startedMs + ms;
      }, ms);
      return () => clearInterval(timer);
    },
    onAnswerNow: () => {},
    onStop: () => {},
  });
  return { show: tui.event, end: () => void tui.end({ answer: "ARC.", status: "completed" }), close: tui.close };
}

function openLeast(agents: readonly string[], seen: Seen): Shown {
  const floor = openFloor({
    agents,
    columns: process.stdout.columns,
    rows: process.stdout.rows,
    write(text) {
      seen.writes += 1;
      seen.bytes += Buffer.byteLength(text);
      process.stdout.write(text);
    },
  });
  return { show: (event) => "seq" in event || floor.delta(event), end: () => {}, close: floor.close };
}

function* historyOf(
  { historyLines, toolCalls }: Workload,
  agents: readonly string[],
  number: ReturnType<typeof numbered>,
): Generator<RunEvent> {
  const agent = agents[0] ?? "";
  const each = Math.max(1, Math.ceil(historyLines / Math.max(1, toolCalls)));
  for (let line = 0; line < historyLines; line++) {
    yield { type: "content_delta", agent, channel: "work", text: `Line ${line} of what was said long before anybody looked.\n` };
    if (line % each !== each - 1) continue;
    const call = { agent, round: 0, callId: `c${line}`, name: "read_file" } as const;
    yield number({ type: "tool_start", ...call, argsPreview: '{"path":"src/limits.ts"}' });
    const more = { ok: true, durationMs: 3, inputChars: 40, outputChars: 2_000, resultPreview: "export const limit = 100;" } as const;
    yield number({ type: "tool_complete", ...call, ...more });
  }
}

await main(JSON.parse(process.argv[2] ?? "{}") as Workload);
