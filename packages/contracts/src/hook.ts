import type { Channel } from "./facts.js";
import type { AgentId, JsonValue } from "./ids.js";
import type { ToolOutput } from "./message.js";

/** Where a call of a tool asks before it goes on, and after it was run. */
export type HookPoint =
  | { readonly at: "tool.before"; readonly tool: string; readonly input: JsonValue }
  | { readonly at: "tool.after"; readonly tool: string; readonly input: JsonValue; readonly output: ToolOutput };

/**
 * `replace_input` is judged again like a new call. `inject` puts text before the model, with the result or as a message of
 * its own; it may ride on any other wish of a hook's. `ask` is a person's to answer; without one it is a refusal.
 */
export type HookResult = {
  readonly decision: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** Only before the call. */
  readonly input?: JsonValue;
  readonly inject?: { readonly text: string; readonly placement: "tool_result" | "user_message" };
};

/** Somebody who is asked around tool calls. What it allows a permission policy may still refuse; what it refuses is refused. */
export interface Hook {
  readonly name: string;
  readonly at: HookPoint["at"];
  /** Names of tools, `*` for any run of characters, alternatives by `|`. Default `*`. */
  readonly matcher?: string;
  readonly timeoutMs: number;
  /** What a thrown error or a timeout means: `deny` refuses the call, `continue` goes on as if nobody had been asked. */
  readonly onError: "continue" | "deny";
  run(
    point: HookPoint,
    context: { readonly agent: AgentId; readonly callId: string; readonly channel: Channel; readonly signal: AbortSignal },
  ): Promise<HookResult>;
}
