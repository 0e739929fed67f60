import type { AgentId, Recorded } from "@massgen/contracts";
import type { LogLevel } from "./massgen-log.js";

/** Whom a record is about, as far as it is about one agent. */
export const agentOf = (record: Recorded): AgentId | null => ("agent" in record ? record.agent : null);

/** How much a record matters to whoever reads `massgen.log`. */
export function levelOf(record: Recorded): LogLevel {
  switch (record.type) {
    case "agent_failed":
      return record.fatal ? "error" : "warning";
    case "agent_timeout":
    case "orchestrator_timeout":
    case "cancelled":
    case "deadlock_avoided":
    case "answer_rejected":
    case "vote_rejected":
    case "enforcement_retry":
    case "irreversible_tool_ran":
    case "earlier_attempt_used":
      return "warning";
    case "post_evaluation_finished":
      return record.autoSubmitted ? "warning" : "info";
    case "planning_decided":
      return record.failure === null ? "info" : "warning";
    case "run_finished":
      return record.status === "error" ? "error" : "info";
    default:
      return "info";
  }
}

/** A record that only reports activity, in the words of the debug log. */
export function activityText(record: Recorded): string {
  switch (record.type) {
    case "llm_call":
      return `request ${record.callId} ${record.status}${record.durationMs === null ? "" : ` after ${record.durationMs} ms`}${record.message === null ? "" : `: ${record.message}`}`;
    case "tool_start":
      return `tool ${record.name} ${record.argsPreview}`;
    case "tool_complete":
      return `tool ${record.name} ${record.ok ? "done" : "failed"} after ${record.durationMs} ms: ${record.resultPreview}`;
    case "usage_recorded":
      return `usage: ${record.usage.inputTokens} in, ${record.usage.outputTokens} out`;
    default:
      return record.type;
  }
}
