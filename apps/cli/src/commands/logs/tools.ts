import { readRunView, turnFolders } from "@massgen/logs";
import { costReport, formatCount, formatDuration, plainTable, type ToolSummary } from "@massgen/views";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells } from "../../output/columns.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { logFolder } from "./find-logs.js";

type Tool = ToolSummary["by_tool"][string] & { readonly name: string };

/** `massgen logs tools`: what was called how often, how long it took, and what it gave back. */
export async function listTools({ log, sort, json }: Extract<LogsRequest, { verb: "tools" }>, io: Io): Promise<ExitCode> {
  const folder = await logFolder(log, io);
  const tools = new Map<string, Tool>();
  for (const { folder: turn } of await turnFolders(folder)) {
    for (const [name, tool] of Object.entries(costReport(await readRunView(turn)).tools.by_tool))
      tools.set(name, added(tools.get(name), { name, ...tool }));
  }
  const rows = [...tools.values()].toSorted(
    (a, b) =>
      (sort === "calls" ? b.call_count - a.call_count : b.total_execution_time_ms - a.total_execution_time_ms) ||
      (a.name < b.name ? -1 : 1),
  );
  if (json) io.out.write(`${visibleJson({ log_dir: folder, tools: rows })}\n`);
  else if (rows.length === 0) io.err.write("massgen: note: no tool was called in this run\n");
  else io.out.write(toolTable(rows));
  return 0;
}

function added(a: Tool | undefined, b: Tool): Tool {
  if (a === undefined) return b;
  const calls = a.call_count + b.call_count;
  const time = a.total_execution_time_ms + b.total_execution_time_ms;
  return {
    ...a,
    call_count: calls,
    success_count: a.success_count + b.success_count,
    failure_count: a.failure_count + b.failure_count,
    total_execution_time_ms: time,
    avg_execution_time_ms: Math.round((time / calls) * 100) / 100,
    total_input_chars: a.total_input_chars + b.total_input_chars,
    total_output_chars: a.total_output_chars + b.total_output_chars,
  };
}

const right = (title: string) => ({ title, align: "right" }) as const;
const COLUMNS = [{ title: "tool" }, { title: "kind" }, ...["calls", "failed", "time", "on average", "characters in", "out"].map(right)];

export const toolTable = (rows: readonly Tool[]): string =>
  plainTable(
    COLUMNS,
    rows.map((tool) => [
      visibleLine(tool.name),
      tool.tool_type,
      formatCount(tool.call_count),
      formatCount(tool.failure_count),
      formatDuration(tool.total_execution_time_ms),
      formatDuration(tool.avg_execution_time_ms),
      formatCount(tool.total_input_chars),
      formatCount(tool.total_output_chars),
    ]),
    cells,
  );
