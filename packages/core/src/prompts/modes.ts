import type { AnonId } from "@massgen/contracts";
import { type Callable, callable } from "./callable.js";
import { escapeBlocks } from "./escape-blocks.js";

/** Purpose: what a single agent does that improves its own answer until it is content with it. */
export const refineRules = (): string =>
  `# Working in rounds

You work on the task alone, in several rounds. In the first you submit an answer. In each later one you are shown that answer, without the work that led to it, and take one decision: is it good enough to be the result?
- If it is, call \`vote\` for it and do nothing else.
- If not, repair its weaknesses with real work, and call \`new_answer\` with a better and complete answer. It replaces the earlier one.

Only a real call of \`vote\` or \`new_answer\` counts. The end of the user message says what may be called now.`;

/** Purpose: what an agent does whose answer nobody votes on. */
export const answerRules = (): string =>
  `# Working side by side

You are one of several agents. Each works alone on the whole task and submits one complete answer with \`new_answer\`; nobody votes. Only a real call of \`new_answer\` counts. When everybody has answered, one agent is asked at the end of the user message to present the result.`;

/** Purpose: what a stage of a pipeline is, and that its answer is all the next one gets. */
export const stageRules = (): string =>
  `# Working in stages

You are one of several agents that work on one task one after another. Each gets the original message and everything the stages before it delivered, does its share, and hands over with \`new_answer\`. What the last stage delivers is the result, so nothing that later stages or the person need may stand only in your reasoning.

Only a real call of \`new_answer\` counts.`;

export interface StageView extends Callable {
  readonly moment: string;
  /** From 1 on. */
  readonly stage: number;
  readonly stages: number;
  /** Paths of the user's that this stage may write. */
  readonly writes: readonly string[];
}

/** Purpose: which stage this is, what it builds on, and who needs what it delivers. */
export function stageText(view: StageView): string {
  const { moment, stage, stages, writes } = view;
  const before =
    stage === 1
      ? "Yours is the first: nothing has been delivered yet."
      : `What ${stage === 2 ? "stage 1" : `stages 1 to ${stage - 1}`} delivered stands above. Build on it, correct what is wrong in it, and keep what is good: your answer takes its place.`;
  const after =
    stage === stages
      ? "You are the last: your answer goes to the person who sent the original message, word for word. Deliver the result itself, without a report on stages."
      : `Stage ${stage + 1} goes on from your answer: deliver it complete and understandable on its own.`;
  const delivery =
    writes.length === 0 ? "" : ` You can write to ${writes.join(", ")} now: put there, by absolute path, what belongs to the result.`;
  return `${moment}\n\nThis is stage ${stage} of ${stages}. ${before} ${after}${delivery} ${callable(view)}`;
}

/** Purpose: what working on a part of the whole asks for, and when to stop. */
export const partRules = (): string =>
  `# Working on parts

You are one of several agents that share one task. It has been divided; each agent works on the part it was given, and you know the others only as agent1, agent2 and so on.

Each round takes one decision about your part:
- If there is something to deliver or to improve, work on it and call \`new_answer\` with your whole part as it stands then. It replaces your earlier one. Stay within your part; use what the others delivered, and fit yours to it.
- If your part is finished, or you cannot go on with it, call \`stop\` with a summary: what was done, and how it connects to the parts of the others. You are asked again when somebody delivers something new.

Only a real call of \`new_answer\` or \`stop\` counts. The end of the user message says what may be called now. When everybody has stopped, one agent is asked there to put the parts together.`;

export interface Part {
  readonly of: AnonId;
  readonly text: string;
}

/** Purpose: how the work was divided. The same for everybody. */
export const partsText = (parts: readonly Part[]): string =>
  `The parts:\n\n<parts>\n${parts.map(({ of, text }) => `<part of="${of}">\n${escapeBlocks(text)}\n</part>`).join("\n")}\n</parts>`;

export interface PartView extends Callable {
  readonly moment: string;
  readonly of: AnonId;
  readonly hasAnswers: boolean;
}

/** Purpose: which part is its own, and where the work stands. */
export function partText(view: PartView): string {
  const { moment, of, hasAnswers, tools } = view;
  const stand = hasAnswers
    ? "The answers above are all that has been delivered so far, each in full, your own among them."
    : "Nothing has been delivered yet.";
  const what = tools.includes("new_answer") ? "Deliver your part, improve it, or stop." : "There is no room for more answers: stop.";
  return `${moment}\n\nYours is the part of ${of}. ${stand} ${what} ${callable(view)}`;
}

/** Purpose: says first why a stop did not count; the update follows. */
export const staleStop = (): string =>
  "Your stop was not counted: something new had arrived that you had not seen. It is no mistake of yours; see whether your part must change, and decide again.";
