import type { Ambient } from "./ambient.js";
import type { Channel } from "./facts.js";
import type { AgentId, JsonValue } from "./ids.js";
import type { ToolOutput, ToolSpec } from "./message.js";

export type PathOp =
  | "list"
  | "stat"
  | "read"
  | "create"
  | "write"
  | "mkdir"
  | "delete"
  | "delete_tree"
  | "move_from"
  | "move_to"
  | "copy_from"
  | "copy_to"
  | "exec_cwd";

/** What a call would touch, known before it runs. A tool that cannot tell says so and is treated as the worst case. */
export type ToolEffect =
  | { readonly kind: "path"; readonly op: PathOp; readonly path: string }
  | { readonly kind: "command"; readonly argv: readonly string[]; readonly cwd: string }
  | { readonly kind: "network"; readonly url: string }
  | { readonly kind: "external_write"; readonly what: string }
  | { readonly kind: "unknown" };

export interface ToolContext {
  readonly agent: AgentId;
  readonly callId: string;
  /** The conversation of the call: what may be written in the presentation may not be written before. */
  readonly channel: Channel;
  readonly ambient: Ambient;
  /** Aborts at the tool's deadline, at the end of the round, or on cancel. */
  readonly signal: AbortSignal;
  /** Shown to people while the tool runs; the model never sees it. */
  progress(note: string): void;
}

/** Whose tool it is. `builtin` is ours and works on the agent's own files; everything else reaches outside. */
export type ToolOrigin = "builtin" | "custom" | "mcp";

export interface ToolHandler {
  readonly spec: ToolSpec;
  readonly risk: "read" | "write" | "destructive" | "external";
  /** Default `custom`: what nobody vouches for is taken to reach outside. */
  readonly origin?: ToolOrigin;
  /** What the user's config says of it for planning mode; absent: what the analysis says. */
  readonly inPlanning?: "allow" | "block";
  /** Milliseconds; `null` for no deadline of its own. */
  readonly timeoutMs: number | null;
  effects(input: JsonValue): readonly ToolEffect[];
  /** A thrown error becomes an error result with its message, without its stack. */
  run(input: JsonValue, context: ToolContext): Promise<ToolOutput>;
}
