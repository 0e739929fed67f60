import type { Attempt, Contender } from "@massgen/evaluation";
import { similarityOf } from "@massgen/kernel";
import { type Column, excerpt, formatCost, formatCount, formatDuration, markdownTable } from "@massgen/views";
import { cells } from "../columns.js";

export interface Compared {
  readonly contender: Contender;
  readonly attempt: Attempt;
}

export interface Comparison {
  readonly question: string;
  readonly simulated: boolean;
  readonly compared: readonly Compared[];
}

const COLUMNS: readonly Column[] = [
  { title: "contender" },
  { title: "answer" },
  { title: "like the team's", align: "right" },
  { title: "cost", align: "right" },
  { title: "tokens", align: "right" },
  { title: "calls", align: "right" },
  { title: "time", align: "right" },
];

/** All answers in full, the table below them. */
export function comparisonText({ simulated, compared }: Comparison): string {
  return [
    ...compared.flatMap(({ contender, attempt }) => [
      "",
      `── ${nameOf(contender)} ──`,
      "",
      attempt.answer?.trim() ?? `(no answer: ${attempt.error})`,
    ]),
    "",
    ...(simulated ? ["Simulated: no model was asked. These numbers say nothing about any model.", ""] : []),
    markdownTable(
      COLUMNS,
      compared.map((one) => rowOf(one, compared)),
      cells,
    ),
    "",
    ...compared.flatMap(({ contender, attempt }) => (attempt.log === null ? [] : [`log of ${nameOf(contender)}: ${attempt.log}`])),
  ]
    .join("\n")
    .trimEnd();
}

const nameOf = ({ name, agent }: Contender): string => (agent === null ? name : `${name} alone`);

function rowOf({ contender, attempt }: Compared, all: readonly Compared[]): readonly string[] {
  const likeness = likenessOf({ contender, attempt }, all);
  return [
    nameOf(contender),
    attempt.answer === null ? "(none)" : excerpt(attempt.answer, 40),
    likeness === null ? "–" : `${Math.round(likeness * 100)} %`,
    formatCost(attempt.costUsd),
    formatCount(attempt.inputTokens + attempt.outputTokens),
    formatCount(attempt.calls),
    formatDuration(attempt.durationMs),
  ];
}

/** Words shared with the team's answer, from 0 to 1; `null` for the team itself and where an answer is missing. */
function likenessOf({ contender, attempt }: Compared, all: readonly Compared[]): number | null {
  const team = all.find((one) => one.contender.agent === null)?.attempt.answer ?? null;
  if (contender.agent === null || team === null || attempt.answer === null) return null;
  return similarityOf({ content: team }, { content: attempt.answer });
}

/** One line per contender, numbers without units: dollars, seconds, a share from 0 to 1. */
export const comparisonLines = ({ compared }: Comparison): readonly string[] =>
  compared.map((one) => {
    const { contender, attempt } = one;
    const likeness = likenessOf(one, compared);
    return [
      `CONTENDER: ${JSON.stringify(contender.id)}`,
      `status=${attempt.status ?? "error"}`,
      `cost_usd=${attempt.costUsd ?? "unknown"}`,
      `tokens=${attempt.inputTokens + attempt.outputTokens}`,
      `calls=${attempt.calls}`,
      `seconds=${(attempt.durationMs / 1000).toFixed(1)}`,
      `likeness=${likeness === null ? "none" : likeness.toFixed(2)}`,
      `log=${attempt.log === null ? "none" : JSON.stringify(attempt.log)}`,
      attempt.answer === null ? `error=${JSON.stringify(attempt.error)}` : `answer=${JSON.stringify(excerpt(attempt.answer, 200))}`,
    ].join(" ");
  });

export const comparisonJson = ({ question, simulated, compared }: Comparison): unknown => ({
  question,
  simulated,
  contenders: compared.map((one) => {
    const { contender, attempt } = one;
    return {
      id: contender.id,
      name: contender.name,
      status: attempt.status,
      answer: attempt.answer,
      error: attempt.error,
      likeness: likenessOf(one, compared),
      cost_usd: attempt.costUsd,
      input_tokens: attempt.inputTokens,
      output_tokens: attempt.outputTokens,
      calls: attempt.calls,
      duration_ms: Math.round(attempt.durationMs),
      log: attempt.log,
    };
  }),
});
