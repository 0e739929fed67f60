import { escapeBlocks } from "./escape-blocks.js";

export interface PlanningView {
  /** Names of the tools that are reserved; empty for every tool that reaches outside. */
  readonly reserved: readonly string[];
  /** What the configuration says in place of our text. */
  readonly instruction: string | null;
}

/** Purpose: what cannot be undone is done once, by the presenter; until then it is planned precisely enough to be carried out. */
export function planning({ reserved: names, instruction }: PlanningView): string {
  const what =
    names.length === 0
      ? "every tool that reaches outside your own files"
      : `${names.length === 1 ? "the tool" : "the tools"} ${names.map((name) => `\`${name}\``).join(", ")}`;
  const text =
    instruction ??
    "This task has effects that cannot be taken back. Plan them, and do not carry them out: say in your answer which call you would make, with its exact arguments, in which order, and how you would check the outcome.";
  return `# Planning mode

${text}

Reserved for the final presentation: ${what}. The agent that presents the result carries the plan out then.`;
}

/** Purpose: the answer to a call of a reserved tool. */
export const reserved = (tool: string): string =>
  `PLANNING_BLOCKED: ${tool} is reserved for the presentation and was not run. Describe in your answer what you would do with it.`;

/** Purpose: the plan is due: said to the presenter, for whom planning mode is over. */
export const planIsDue =
  "Planning mode is over for you: the reserved tools are served now. Carry out the plan once, step by step, check the outcome, and tell it truthfully.\n\n";

export interface ExecutionView {
  readonly moment: string;
  readonly plan: string;
}

/** Purpose: a single agent that has planned carries its plan out. */
export const execution = ({ moment, plan }: ExecutionView): string =>
  `Your plan:

<answer>
${escapeBlocks(plan)}
</answer>

${moment}

${planIsDue}Then write the final answer: what was done and what came of it. Your text is the final answer, word for word.`;
