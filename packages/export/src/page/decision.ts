import { acceptedAttempt, type DecisionReport, decisionReport, nameOf, whatIfTexts } from "@massgen/views";
import type { TurnRecord } from "../read-turn.js";
import { type Html, html, nothing } from "./html.js";

/** Why this answer: the rule, what was said for it and against it, what would have changed it. */
export function decisionSection({ view }: TurnRecord, id: string): Html {
  const accepted = acceptedAttempt(view);
  const report = decisionReport(accepted);
  return html`<section id="${id}-decision" aria-labelledby="${id}-decision-title">
<h2 id="${id}-decision-title">Why this answer</h2>
${report === null ? html`<p class="note">No decision was made.</p>` : body(report, accepted)}
</section>`;
}

const body = (report: DecisionReport, view: TurnRecord["view"]): Html => html`<p class="rule">${report.rule_text}</p>
${report.tally.length < 2 ? nothing : html`<p>The count: ${report.tally.map(({ label, weight }) => `${label} ${weight}`).join(", ")}.</p>`}
${reasons("For it", report.reasons_for_winner, view)}
${reasons("For another answer", report.reasons_for_others, view)}
${listOf("What would have changed it", [...(report.counterfactual === null ? [] : [report.counterfactual]), ...whatIfTexts(view)])}
${listOf("What weakens the agreement", report.warnings)}`;

const reasons = (title: string, given: DecisionReport["reasons_for_winner"], view: TurnRecord["view"]): Html =>
  given.length === 0
    ? nothing
    : html`<h3>${title}</h3><ul class="reasons">${given.map(
        ({ voter, label, reason }) =>
          html`<li><span class="who">${nameOf(view, voter)}${label === null ? nothing : html` for ${label}`}</span><q dir="auto">${reason === "" ? "(no reason given)" : reason}</q></li>`,
      )}</ul>`;

const listOf = (title: string, texts: readonly string[]): Html =>
  texts.length === 0 ? nothing : html`<h3>${title}</h3><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
