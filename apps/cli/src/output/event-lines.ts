import type { AgentId, JsonValue, Recorded } from "@massgen/contracts";
import type { RunView } from "@massgen/views";
import type { RunEnd, RunStart } from "./screen.js";
import { visibleJson } from "./visible-text.js";

/** One line of `--stream-events` (docs/spec/cli.md 11); names and `data` are those of the log. */
export interface EventLine {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly event_type: string;
  readonly agent_id: AgentId | null;
  readonly round_number: number;
  readonly data: { readonly [key: string]: JsonValue };
}

/** A record under its name in the log, as far as a line needs it. */
export interface NamedEvent {
  readonly timestamp: number;
  readonly event_type: string;
  readonly agent_id: AgentId | null;
  readonly context: { readonly [key: string]: JsonValue };
}
export type NameRecord = (record: Recorded, before: RunView, after: RunView) => NamedEvent;

export const formatLine = (line: EventLine): string => visibleJson(line);

/** The first line also says where the log is; `null` without one. */
export function lineOf(named: NamedEvent, start: RunStart | null): EventLine {
  const { timestamp, event_type, agent_id, context } = named;
  const round = context["round"];
  const data = event_type === "session_start" && start !== null ? { ...context, ...opening(start) } : context;
  return { timestamp, event_type, agent_id, round_number: typeof round === "number" ? round : 0, data };
}

const opening = ({ logDirectory, statusFile, simulated }: RunStart): EventLine["data"] => ({
  log_dir: logDirectory,
  status_file: statusFile,
  simulated,
});

/** What every stream ends with: the answer, or why there is none. `last` is the record of the presentation, if there was one. */
export function closingLine({ result, outputFile }: RunEnd, last: NamedEvent | null, timestamp: number): EventLine {
  const common = { status: result.status, exit_code: result.exitCode, log_dir: result.logDirectory };
  if (result.finalAnswer === null) {
    const data = { ...common, message: result.message ?? "The run ended without an answer.", code: result.status };
    return { timestamp, event_type: "error", agent_id: null, round_number: 0, data };
  }
  const data = {
    ...last?.context,
    ...common,
    winner: result.winner,
    winner_label: result.winnerLabel,
    content: result.finalAnswer,
    answer_file: result.finalAnswerPath,
    output_file: outputFile,
    duration_seconds: Math.round(result.durationMs) / 1000,
    usage: { ...result.usage },
  };
  const round = last?.context["round"];
  return {
    timestamp: last?.timestamp ?? timestamp,
    event_type: "final_answer",
    agent_id: result.winner,
    round_number: typeof round === "number" ? round : 0,
    data,
  };
}
