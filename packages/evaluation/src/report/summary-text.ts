import { type CellWidth, type Column, formatCost, formatCount, formatDuration, markdownTable } from "@massgen/views";
import type { ContenderSummary, EvaluationSummary, Pairing } from "./summarise.js";

const COLUMNS: readonly Column[] = [
  { title: "contender" },
  { title: "correct", align: "right" },
  { title: "accuracy", align: "right" },
  { title: "95 % interval", align: "right" },
  { title: "failed", align: "right" },
  { title: "cost", align: "right" },
  { title: "per correct", align: "right" },
  { title: "tokens", align: "right" },
  { title: "calls", align: "right" },
  { title: "median time", align: "right" },
];

/** The table of an evaluation and what it says about the team, as Markdown that also reads well in a terminal. */
export function summaryText(summary: EvaluationSummary, cellWidth: CellWidth): string {
  const { contenders, pairing } = summary;
  const open = Math.max(...contenders.map((one) => one.open));
  const hasFailed = contenders.some((one) => one.failed > 0);
  return [
    ...(summary.simulated ? ["Simulated: no model was asked. These numbers say nothing about any model.", ""] : []),
    markdownTable(COLUMNS, contenders.map(rowOf), cellWidth),
    "",
    ...(open > 0 ? [`Not finished: up to ${open} of ${summary.questions} questions are still open for a contender.`] : []),
    ...(hasFailed ? ["Failed questions count neither as right nor as wrong; --retry-failed asks them again."] : []),
    ...(pairing === null ? [] : pairingLines(pairing, contenders)),
  ].join("\n");
}

const rowOf = (one: ContenderSummary): readonly string[] => [
  one.name,
  `${one.correct} of ${one.correct + one.wrong}`,
  one.accuracy === null ? "–" : percent(one.accuracy),
  one.accuracy === null ? "–" : `${percent(one.interval.low)} – ${percent(one.interval.high)}`,
  String(one.failed),
  formatCost(one.cost_usd),
  one.correct === 0 && one.cost_usd !== null ? "–" : formatCost(one.cost_per_correct_usd),
  formatCount(one.input_tokens + one.output_tokens),
  formatCount(one.calls),
  one.median_duration_ms === null ? "–" : formatDuration(one.median_duration_ms),
];

function pairingLines(pairing: Pairing, contenders: readonly ContenderSummary[]): readonly string[] {
  const find = (id: string): ContenderSummary | undefined => contenders.find((one) => one.id === id);
  const [team, best] = [find(pairing.first), find(pairing.second)];
  if (team === undefined || best === undefined) return [];
  const { both, onlyFirst, onlySecond, neither } = pairing.counts;
  const total = both + onlyFirst + onlySecond + neither;
  return [
    `Team against its best member alone (${best.name}), on ${total === 1 ? "1 question" : `${total} questions`}:`,
    `  both right ${both}, only the team ${onlyFirst}, only ${best.name} ${onlySecond}, neither ${neither}`,
    `  difference ${points(pairing.difference)} (95 % interval ${points(pairing.interval.low)} to ${points(pairing.interval.high)}), exact McNemar p = ${probability(pairing.p)}`,
    `  ${verdict(pairing)}${priceText(team, best)}`,
  ];
}

/** What may be said at the usual 5 %, and no more. */
function verdict({ p, difference }: Pairing): string {
  if (p >= 0.05) return "This does not tell them apart: the difference may be chance. More questions would narrow it.";
  return difference > 0 ? "The team is better than its best member." : "The team is worse than its best member.";
}

function priceText(team: ContenderSummary, best: ContenderSummary): string {
  const [dear, cheap] = [team.cost_per_correct_usd, best.cost_per_correct_usd];
  if (dear !== null && cheap !== null && cheap > 0)
    return ` A correct answer of the team costs ${(dear / cheap).toFixed(1)} times as much.`;
  const [many, few] = [tokensOf(team), tokensOf(best)];
  return few > 0 && many > 0 ? ` The team takes ${(many / few).toFixed(1)} times the tokens.` : "";
}

const tokensOf = (one: ContenderSummary): number => one.input_tokens + one.output_tokens;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)} points`;
const probability = (p: number): string => (p < 0.001 ? p.toExponential(1) : p.toFixed(3));
