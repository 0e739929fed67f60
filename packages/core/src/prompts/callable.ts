import type { AnonId, WorkflowTool } from "@massgen/contracts";

/** What the agent may do now: the workflow tools, and whom it may vote for. */
export interface Callable {
  readonly tools: readonly WorkflowTool[];
  readonly voteFor: readonly AnonId[];
  /** The workflow tools the model knows of. Default: `new_answer` and `vote`. */
  readonly defined?: readonly WorkflowTool[];
}

/** Purpose: one sentence, the same everywhere, that names what may be called now and for whom. */
export function callable({ tools, voteFor, defined = ["new_answer", "vote"] }: Callable): string {
  const names = tools.map((tool) => (tool === "vote" ? `\`vote\` for ${oneOf(voteFor)}` : `\`${tool}\``));
  const closed = defined.filter((tool) => !tools.includes(tool)).map((tool) => `\`${tool}\``);
  const not = closed.length === 0 ? "" : ` ${closed.join(" and ")} may not be called now.`;
  return `You may call ${oneOf(names)}.${not}`;
}

/** `a`, `a or b`, `a, b or c`. */
function oneOf(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "nothing") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
