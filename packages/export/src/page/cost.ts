import {
  type CostReport,
  costReport,
  formatCost,
  formatCount,
  formatDuration,
  nameOf,
  SPENDING_PHASES,
  type SpendingPhase,
  type SpentReport,
} from "@massgen/views";
import type { TurnRecord } from "../read-turn.js";
import { type Html, html, nothing } from "./html.js";

/** Tokens and money by agent, phase and round, and what the tools did. */
export function costSection({ view }: TurnRecord, id: string): Html {
  const report = costReport(view);
  const agents = Object.entries(report.agents).map(([agent, spent]) =>
    row(`${nameOf(view, agent)}: ${spent.model}`, String(spent.rounds), spent),
  );
  const rounds = report.rounds.map((round) =>
    row(
      `${nameOf(view, round.agent)}, round ${round.round} (${round.kind.replaceAll("_", " ")})`,
      round.outcome?.replaceAll("_", " ") ?? "running",
      round,
    ),
  );
  const several =
    report.total.estimated_cost === null
      ? html`<p class="faint">The cost is unknown where the price of a model is not known.</p>`
      : nothing;
  return html`<section id="${id}-cost" aria-labelledby="${id}-cost-title">
<h2 id="${id}-cost-title">Cost</h2>
${table(`${id}-by-agent`, "By agent", "agent", "rounds", [...agents, row("in all", String(report.rounds.length), report.total)])}
${table(`${id}-by-phase`, "By phase", "phase", "rounds", phaseRows(report))}
<details><summary>By round</summary>${table(`${id}-by-round`, "By round", "round", "ended as", rounds)}</details>
${report.tools.total_calls === 0 ? nothing : toolTable(`${id}-by-tool`, report)}
${several}
</section>`;
}

const row = (name: string, second: string, spent: SpentReport): Html =>
  html`<tr><th scope="row">${name}</th>${[
    second,
    formatCount(spent.api_calls),
    formatCount(spent.input_tokens),
    spent.cache_hit_share === null ? "–" : `${Math.round(spent.cache_hit_share * 100)} %`,
    formatCount(spent.output_tokens),
    formatCost(spent.estimated_cost),
  ].map((text) => html`<td class="right">${text}</td>`)}</tr>`;

const PHASE: Readonly<Record<SpendingPhase, string>> = {
  planning: "planning",
  initial_answer: "first answers",
  evaluation: "judging and voting",
  presentation: "final presentation",
  post_evaluation: "judging the result",
};

const phaseRows = ({ phases }: CostReport): readonly Html[] =>
  SPENDING_PHASES.flatMap((phase) => {
    const spent = phases[phase];
    return spent === undefined ? [] : [row(PHASE[phase], String(spent.rounds), spent)];
  });

const heads = (titles: readonly string[]): readonly Html[] =>
  titles.map((title, place) => (place === 0 ? html`<th scope="col">${title}</th>` : html`<th scope="col" class="right">${title}</th>`));

const table = (id: string, caption: string, first: string, second: string, rows: readonly Html[]): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-labelledby="${id}"><table><caption id="${id}">${caption}</caption><thead><tr>${heads([first, second, "requests", "input tokens", "from caches", "output tokens", "cost"])}</tr></thead><tbody>${rows}</tbody></table></div>`;

function toolTable(id: string, { tools }: CostReport): Html {
  const rows = Object.entries(tools.by_tool).map(
    ([name, tool]) =>
      html`<tr><th scope="row">${name}</th>${[
        formatCount(tool.call_count),
        formatCount(tool.failure_count),
        formatDuration(tool.total_execution_time_ms),
        formatCount(tool.total_output_chars),
      ].map((text) => html`<td class="right">${text}</td>`)}</tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-labelledby="${id}"><table><caption id="${id}">By tool</caption><thead><tr>${heads(["tool", "calls", "failed", "time", "characters given back"])}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
