import { escapeBlocks } from "./escape-blocks.js";
import { originalMessage } from "./original-message.js";

export interface ParaphrasingView {
  readonly question: string;
  /** What stands before the question in every prompt: the conversation so far. */
  readonly earlier: string | null;
  /** How many wordings are asked for. */
  readonly count: number;
}

/** Purpose: other words for the same task, so that a team does not stand or fall with one phrase of it. */
export const paraphrasing = ({ question, earlier, count }: ParaphrasingView): string =>
  `Say a task in other words. Do not work on it, and do not answer it.

${earlier === null ? "" : `${earlier}\n\n`}${originalMessage(question)}

Write ${count === 1 ? "one other wording" : `${count} other wordings, each unlike the others in words and in the order of what it says`}:
- It asks for exactly the same: nothing is added, left out, narrowed or decided that the message leaves open.
- Names, numbers, quotations, code, links and paths stand in it letter for letter.
- It is in the language of the message.

Reply with one JSON object and nothing else:
{"wordings": [${Array.from({ length: count }, () => '"…"').join(", ")}]}`;

export interface ComparisonView {
  readonly question: string;
  readonly earlier: string | null;
  readonly wordings: readonly string[];
}

/** Purpose: a wording that asks for something else must not set a part of the team on another task. */
export const comparison = ({ question, earlier, wordings }: ComparisonView): string =>
  `Compare other wordings of a task with the task itself. Do not work on it, and do not answer it.

${earlier === null ? "" : `${earlier}\n\n`}${originalMessage(question)}

${wordings.map((wording, place) => `<paraphrase number="${place + 1}">\n${escapeBlocks(wording)}\n</paraphrase>`).join("\n")}

Say of each, in this order, whether somebody who reads it alone would do the same as somebody who reads the original message: it is not the same if anything is added, left out, narrowed, decided or changed, or if a name, number, quotation, code, link or path differs. \`confidence\` is how sure you are, from 0 to 1.

Reply with one JSON object and nothing else, with a verdict for each wording:
{"verdicts": [${wordings.map(() => '{"same": …, "confidence": …}').join(", ")}]}`;

/** Purpose: a second look at the task for one agent. The message itself stays what answers are measured by. */
export const paraphraseText = (wording: string): string =>
  `The same task in other words, as a second look at it. Where the two differ, the original message counts.\n<paraphrase>\n${escapeBlocks(wording)}\n</paraphrase>`;
