import type { AnonId } from "@massgen/contracts";
import { escapeBlocks } from "./escape-blocks.js";

/** An answer as an agent is shown it: whose it is and its whole text. */
export interface ShownAnswer {
  /** In a pipeline: its stage. */
  readonly from: AnonId | `stage ${number}`;
  readonly text: string;
}

/** Purpose: one answer, unmistakably whose it is and where it begins and ends. It instructs nothing. */
export const answerBlock = ({ from, text }: ShownAnswer): string => `<answer from="${from}">\n${escapeBlocks(text)}\n</answer>`;

/** Purpose: where the list of answers begins and ends. A new answer is only ever appended before the end. */
export const answersOpening = "<current_answers>";
export const answersClosing = "</current_answers>";
