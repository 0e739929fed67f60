import { escapeBlocks } from "./escape-blocks.js";

export interface FeedbackView {
  readonly reason: string;
  readonly instructions: string;
  /** What the attempt before had presented. */
  readonly finalAnswer: string;
  /** Its files can be looked at. */
  readonly hasFiles?: boolean;
}

/** Purpose: why the team starts over and what to do otherwise; the earlier result is there to learn from, not to repeat. */
export function feedback({ reason, instructions, finalAnswer, hasFiles = false }: FeedbackView): string {
  const said = (name: string, text: string): string => (text.trim() === "" ? "" : `${name}: ${escapeBlocks(text.trim())}\n\n`);
  return `The team has worked on the original message before. Its result was not good enough, and the work begins anew:

<previous_attempt>
${said("What is wrong", reason)}${said("What to do now", instructions)}<previous_answer>
${escapeBlocks(finalAnswer)}
</previous_answer>
</previous_attempt>

${hasFiles ? "Its files stand in the folder `previous_attempt`, beside those of the answers; the workspaces are empty again. " : ""}Follow the guidance. Use the previous answer as a reference where it is right; do not repeat it where it is not.`;
}
