import type { AnonId, Verification } from "@massgen/contracts";
import { escapeBlocks } from "./escape-blocks.js";

/** An answer as an agent is shown it: whose it is and its whole text. */
export interface ShownAnswer {
  /** In a pipeline: its stage. */
  readonly from: AnonId | `stage ${number}`;
  readonly text: string;
  /** What the user's check said of it; absent where nothing is checked. */
  readonly check?: Verification | null;
}

/** Purpose: one answer, unmistakably whose it is and where it begins and ends. It instructs nothing. */
export const answerBlock = ({ from, text, check = null }: ShownAnswer): string =>
  `<answer from="${from}">\n${escapeBlocks(text)}\n</answer>${check === null ? "" : `\n${checkBlock(from, check)}`}`;

/** Purpose: a fact about an answer that nobody on the team has made up. */
function checkBlock(from: ShownAnswer["from"], { passed, exitCode, summary }: Verification): string {
  const result = passed === null ? "not run" : passed ? "passed" : `failed${exitCode === null ? "" : `, exit code ${exitCode}`}`;
  return `<check of="${from}" result="${result}">${summary === "" || passed === true ? "" : `\n${escapeBlocks(summary)}\n`}</check>`;
}

/** Purpose: where the list of answers begins and ends. A new answer is only ever appended before the end. */
export const answersOpening = "<current_answers>";
export const answersClosing = "</current_answers>";
