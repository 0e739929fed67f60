import type { AgentId, Channel, EpochMillis, HookPoint, JsonValue, RunId, ToolOutput } from "@massgen/contracts";

/** What a hook of a config is told, in the language of configs (docs/spec/tools.md 6.3). */
export interface HookEvent {
  readonly hook_type: "PreToolUse" | "PostToolUse";
  readonly orchestrator_id: RunId;
  readonly session_id: string | null;
  /** As configured, not as other agents know it. */
  readonly agent_id: AgentId;
  readonly stage: Channel;
  readonly call_id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly tool_name: string;
  readonly tool_input: JsonValue;
  /** After the call: what the model is to read, without pictures. */
  readonly tool_output: { readonly text: string; readonly is_error: boolean } | null;
}

export interface HookCall {
  readonly runId: RunId;
  readonly agent: AgentId;
  readonly callId: string;
  readonly channel: Channel;
  readonly at: EpochMillis;
}

export function hookEvent(point: HookPoint, { runId, agent, callId, channel, at }: HookCall): HookEvent {
  return {
    hook_type: point.at === "tool.before" ? "PreToolUse" : "PostToolUse",
    orchestrator_id: runId,
    session_id: null,
    agent_id: agent,
    stage: channel,
    call_id: callId,
    timestamp: new Date(at).toISOString(),
    tool_name: point.tool,
    tool_input: point.input,
    tool_output: point.at === "tool.after" ? told(point.output) : null,
  };
}

const told = ({ parts, isError }: ToolOutput): NonNullable<HookEvent["tool_output"]> => ({
  text: parts.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n"),
  is_error: isError === true,
});
