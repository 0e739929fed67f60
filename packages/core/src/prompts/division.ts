import type { AnonId } from "@massgen/contracts";
import { type Part, partsText } from "./modes.js";
import { originalMessage } from "./original-message.js";

export interface DivisionView {
  readonly question: string;
  /** What stands before the question in every prompt: the conversation so far. */
  readonly earlier: string | null;
  /** Whose parts are asked for. */
  readonly wanted: readonly AnonId[];
  /** Parts that are settled. */
  readonly given: readonly Part[];
  /** What the configuration asks for besides. */
  readonly guidelines: string | null;
}

/** Purpose: parts that together are the whole, that can be worked on at the same time, and that fit where they meet. */
export function division({ question, earlier, wanted, given, guidelines }: DivisionView): string {
  const settled =
    given.length === 0
      ? ""
      : `\n\nSome parts are settled. Fit the others to them, and leave nothing out between them.\n\n${partsText(given)}`;
  const more = guidelines === null ? "" : `\n\nAsked for besides:\n${guidelines.trim()}`;
  const shape = `{${wanted.map((anon) => `"${anon}": "…"`).join(", ")}}`;
  return `Divide a task among agents that will work on it at the same time, each on its own part, and see each other's results on the way. Do not work on the task itself.

${earlier === null ? "" : `${earlier}\n\n`}${originalMessage(question)}${settled}${more}

Say for ${wanted.join(", ")} which part it works on:
- All parts together are the whole task, and nothing stands in two of them.
- Each part is about the same amount of work, and can be begun at once.
- Each is said in two to five sentences, so that somebody who reads only the task and that part knows what to deliver and where it must fit the others.

Reply with one JSON object and nothing else:
${shape}`;
}
