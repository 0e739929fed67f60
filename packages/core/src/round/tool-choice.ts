import type { ToolChoice, WorkflowTool } from "@massgen/contracts";

export interface Urgency {
  /** Enforcement attempts used up in this round. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly hardTimeout: boolean;
  /** Workflow tools that may be called now. */
  readonly callable: readonly WorkflowTool[];
  /** The backend can be told that it must call a tool, or which. */
  readonly canForce: boolean;
}

/**
 * How far the next response is bound. The first attempt is always free: a forced call skips the thinking, and several
 * vendors refuse to think and to be forced at once. Later ones are bound as tightly as one choice can say without
 * touching the tool definitions: to the only workflow tool that may be called, or, on the last attempt, to any tool.
 */
export function chooseTools({ attempts, maxAttempts, hardTimeout, callable, canForce }: Urgency): ToolChoice {
  if (!canForce || (attempts === 0 && !hardTimeout)) return "auto";
  const [only, ...others] = callable;
  if (only !== undefined && others.length === 0) return { tool: only };
  return attempts > 0 && attempts + 1 >= maxAttempts ? "required" : "auto";
}
