import { type LogEntry, listLogs } from "@massgen/logs";
import { excerpt, formatCost, formatDuration, plainTable } from "@massgen/views";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells, cut } from "../../output/columns.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { logBase } from "./find-logs.js";

/** `massgen logs list`: the runs of this folder, newest first. */
export async function listRuns({ limit, json }: Extract<LogsRequest, { verb: "list" }>, io: Io): Promise<ExitCode> {
  const base = await logBase(io);
  const entries = await listLogs(base, { limit });
  if (json) io.out.write(`${visibleJson({ logs: entries.map(jsonOf) })}\n`);
  else if (entries.length === 0) io.err.write(`massgen: note: there is no log in ${visibleLine(base)}\n`);
  else io.out.write(listTable(entries, io.out.isTerminal ? io.out.columns() : Number.POSITIVE_INFINITY));
  return 0;
}

/** Names as in the files of a log. */
const jsonOf = (entry: LogEntry): object => ({
  name: entry.name,
  log_dir: entry.folder,
  state: entry.state,
  question: entry.question,
  winner: entry.winner,
  start_time: entry.startedAt,
  elapsed_seconds: entry.seconds,
  agents: entry.agents,
  turns: entry.turns,
  estimated_cost: entry.costUsd,
  input_tokens: entry.inputTokens,
  output_tokens: entry.outputTokens,
  simulated: entry.simulated,
});

const COLUMNS = [
  { title: "log" },
  { title: "state" },
  { title: "took", align: "right" },
  { title: "cost", align: "right" },
  { title: "winner" },
  { title: "question" },
] as const;

function listTable(entries: readonly LogEntry[], width: number): string {
  const rows = entries.map((entry) => [
    entry.name,
    entry.state,
    entry.seconds === null ? "-" : formatDuration(entry.seconds * 1000),
    // What a simulated run would have cost is no money.
    entry.simulated ? "simulated" : formatCost(entry.costUsd),
    entry.winner === null ? "-" : visibleLine(excerpt(entry.winner, 20)),
    `${entry.turns > 1 ? `(${entry.turns} turns) ` : ""}${visibleLine(excerpt(entry.question ?? "-", 80))}`,
  ]);
  const lines = plainTable(COLUMNS, rows, cells).trimEnd().split("\n");
  return lines.map((line) => `${cut(line, width)}\n`).join("");
}
