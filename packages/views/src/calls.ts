import type { AgentId, EpochMillis, Recorded } from "@massgen/contracts";
import { appended, emptyList, type GrowList } from "./grow-list.js";

type LlmCall = Extract<Recorded, { type: "llm_call" }>;
type ToolComplete = Extract<Recorded, { type: "tool_complete" }>;

/** One request to a model, from its first byte to its last, retries included. */
export interface CallView {
  readonly callId: string;
  readonly agent: AgentId;
  readonly round: number;
  readonly purpose: LlmCall["purpose"];
  readonly startedAt: EpochMillis;
  readonly endedAt: EpochMillis;
  readonly durationMs: number;
  readonly ttftMs: number | null;
  readonly ok: boolean;
  readonly message: string | null;
  readonly retries: number;
}

export interface ToolView {
  readonly callId: string;
  readonly name: string;
  readonly agent: AgentId;
  readonly round: number;
  readonly startedAt: EpochMillis;
  readonly endedAt: EpochMillis;
  readonly durationMs: number;
  readonly ok: boolean;
  /** What came back, shortened; of a failed call what went wrong. */
  readonly resultPreview: string;
  readonly inputChars: number;
  readonly outputChars: number;
}

export interface ToolStats {
  readonly calls: number;
  readonly failures: number;
  readonly durationMs: number;
  readonly inputChars: number;
  readonly outputChars: number;
}

interface OpenCall {
  readonly startedAt: EpochMillis;
  readonly retries: number;
}

/** Requests and tool calls: the finished ones in order, running requests by id. */
export interface ActivityView {
  readonly calls: GrowList<CallView>;
  readonly openCalls: ReadonlyMap<string, OpenCall>;
  readonly tools: GrowList<ToolView>;
}

export const noActivity: ActivityView = { calls: emptyList, openCalls: new Map(), tools: emptyList };

/** `finishedCall` is the request that ended with this record, if one did. */
export function foldActivity(activity: ActivityView, record: Recorded): FoldedActivity {
  if (record.type === "llm_call") return foldCall(activity, record);
  return { activity: record.type === "tool_complete" ? foldTool(activity, record) : activity, finishedCall: null };
}

interface FoldedActivity {
  readonly activity: ActivityView;
  readonly finishedCall: CallView | null;
}

function foldCall(activity: ActivityView, record: LlmCall): FoldedActivity {
  const open = activity.openCalls.get(record.callId);
  if (record.status === "started" || record.status === "retrying") {
    const next = { startedAt: open?.startedAt ?? record.at, retries: (open?.retries ?? 0) + (record.status === "retrying" ? 1 : 0) };
    return { activity: { ...activity, openCalls: new Map(activity.openCalls).set(record.callId, next) }, finishedCall: null };
  }
  const durationMs = record.durationMs ?? (open === undefined ? 0 : record.at - open.startedAt);
  const finished: CallView = {
    callId: record.callId,
    agent: record.agent,
    round: record.round,
    purpose: record.purpose,
    startedAt: open?.startedAt ?? record.at - durationMs,
    endedAt: record.at,
    durationMs,
    ttftMs: record.ttftMs,
    ok: record.status === "finished",
    message: record.message,
    retries: open?.retries ?? 0,
  };
  const openCalls = new Map(activity.openCalls);
  openCalls.delete(record.callId);
  return { activity: { ...activity, openCalls, calls: appended(activity.calls, finished) }, finishedCall: finished };
}

function foldTool(activity: ActivityView, record: ToolComplete): ActivityView {
  const { callId, name, agent, round, ok, durationMs, resultPreview, inputChars, outputChars, at } = record;
  const startedAt = at - durationMs;
  const tool = { callId, name, agent, round, startedAt, endedAt: at, durationMs, ok, resultPreview, inputChars, outputChars };
  return { ...activity, tools: appended(activity.tools, tool) };
}

/** Sums by tool name, in the order of first use. */
export function toolStatsOf(tools: Iterable<ToolView>): ReadonlyMap<string, ToolStats> {
  const stats = new Map<string, ToolStats>();
  for (const tool of tools) {
    const { calls, failures, durationMs, inputChars, outputChars } = stats.get(tool.name) ?? NO_CALLS;
    stats.set(tool.name, {
      calls: calls + 1,
      failures: failures + (tool.ok ? 0 : 1),
      durationMs: durationMs + tool.durationMs,
      inputChars: inputChars + tool.inputChars,
      outputChars: outputChars + tool.outputChars,
    });
  }
  return stats;
}

const NO_CALLS: ToolStats = { calls: 0, failures: 0, durationMs: 0, inputChars: 0, outputChars: 0 };
