import { decisionReport, isWeighted, type RunView, ruleText, weightText, whatIfTexts } from "@massgen/views";
import { visibleLine } from "../visible-text.js";
import type { Block } from "./block.js";
import { counted, labelWithAuthor, nameOf } from "./names.js";

/** Only where answers stood against each other somebody wins. */
function verdictOf({ state, decision }: RunView): string {
  if (decision?.fact.selection === "presenter" || decision?.fact.selection === "skipped") return "presents.";
  return state.mode === "voting" ? "wins." : "has the last word.";
}

/**
 * Why the winner won: the rule, the count, what the others thought, and whose vote it hung on. Empty with one agent, where nothing was decided.
 * What weakens an agreement is told too, except of simulated models, of which it says nothing.
 */
export function decisionBlocks(view: RunView, isSimulated: boolean): readonly Block[] {
  const report = decisionReport(view);
  if (report === null || view.state.mode === "single" || view.state.mode === "refine") return [];
  const winner: Block = {
    who: nameOf(view.state, report.winner),
    tone: "winner",
    text: `${verdictOf(view)} ${visibleLine(ruleText(view) ?? "")}`,
    quote: null,
    weight: "fact",
  };
  const weighed = (weight: number): string => (isWeighted(view) ? weightText(weight) : counted(weight, "vote"));
  const tally = report.tally.map(({ label, weight }) => `${labelWithAuthor(view.state, label)} ${weighed(weight)}`);
  const count: readonly Block[] =
    report.tally.length < 2 ? [] : [{ ...winner, who: null, tone: "strong", text: `the count: ${tally.join(", ")}` }];
  const dissent = report.reasons_for_others.map(({ voter, label, reason }): Block => {
    const other = label === null ? "another answer" : labelWithAuthor(view.state, label);
    return {
      ...winner,
      tone: "faint",
      who: nameOf(view.state, voter),
      text: `would have taken ${other}`,
      quote: visibleLine(reason) || null,
    };
  });
  const others = whatIfTexts(view).map(
    (text): Block => ({ ...winner, who: null, tone: "faint", text: visibleLine(text), weight: "detail" }),
  );
  const warnings = (isSimulated ? [] : report.warnings).map(
    (text): Block => ({ ...winner, who: null, tone: "warning", text: visibleLine(text) }),
  );
  return [winner, ...count, ...dissent, ...others, ...warnings];
}
