import type { AnonId, StopStatus } from "@massgen/contracts";
import { escapeBlocks } from "./escape-blocks.js";
import { planIsDue } from "./planning.js";
import { deliveryTo, noMoreTools, type PresentationView, received } from "./presentation.js";

export interface SynthesisView extends PresentationView {
  /** Its answer was chosen; else nobody has judged the answers, and none counts more than another. */
  readonly isChosen: boolean;
}

/** Purpose: one answer that holds the strongest of all of them. */
export function synthesis(view: SynthesisView): string {
  const { moment, own, isChosen, hasTools } = view;
  const opening = isChosen
    ? `The rounds are over. The answer of ${own} was chosen. It is yours, and you now merge it with what is best in the others.\n\n${received(view)}`
    : `The rounds are over. Nobody has judged the answers, and you now merge them. That of ${own} is yours; it counts no more than the others.`;
  const basis = isChosen
    ? "Your answer is the basis. Take over what another does better and what yours lacks; treat the reasons of the votes as review comments."
    : "Take the strongest parts of all answers, wherever they stand. Where answers contradict each other, find out which is right.";
  return `${moment}

${opening}

Write the final answer for the person who sent the original message:
- ${basis}
- One whole, of one mould, complete and ready to use. No list of who said what, no report on agents, votes or rounds.
- Keep concrete details: numbers, names, code, sources.

${view.executesPlan ? planIsDue : ""}${deliveryTo(view.writes)}${noMoreTools(hasTools)} Your text is the final answer, word for word.`;
}

export interface AssemblyView {
  readonly moment: string;
  readonly own: AnonId;
  /** How each part ended; `null` for an agent that did not say. */
  readonly ends: readonly { readonly of: AnonId; readonly status: StopStatus | null; readonly summary: string }[];
  readonly hasTools: boolean;
  /** Where the user wants the result; absolute. */
  readonly writes: readonly string[];
  readonly executesPlan: boolean;
}

/** Purpose: one whole of all parts, by somebody who only knows its own by heart. */
export function assembly({ moment, own, ends, hasTools, writes, executesPlan }: AssemblyView): string {
  const lines = ends.map(({ of, status, summary }) => {
    const said = summary.trim() === "" ? "" : `\n${escapeBlocks(summary.trim())}\n`;
    return `<part_end of="${of}" status="${status ?? "unknown"}">${said}</part_end>`;
  });
  return `${moment}

The work on the parts is over. You were chosen to put them together; that of ${own} is yours. How each part ended:

<part_ends>
${lines.join("\n")}
</part_ends>

Write the final answer for the person who sent the original message:
- It is the whole: every part is in it, complete, in the order the task asks for. Nothing that was delivered is lost or only pointed at.
- Make the parts fit: one voice, no repetition, no contradiction. Say plainly what is missing where a part was blocked.
- No report on agents or parts.

${executesPlan ? planIsDue : ""}${deliveryTo(writes)}${noMoreTools(hasTools, "stop")} Your text is the final answer, word for word.`;
}

export interface DirectView {
  readonly moment: string;
  readonly hasTools: boolean;
  /** Where the user wants the result; absolute. */
  readonly writes: readonly string[];
}

/** Purpose: an answer at once, without anybody's work to stand on. */
export const direct = ({ moment, hasTools, writes }: DirectView): string =>
  `${moment}\n\nAnswer the original message now, completely. ${deliveryTo(writes)}${hasTools ? "You may use your tools on the way. " : ""}The text you end with is the final answer, word for word.`;
