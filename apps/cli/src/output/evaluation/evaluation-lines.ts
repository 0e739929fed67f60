import type { EvaluationResult, EvaluationSummary, Progress } from "@massgen/evaluation";
import { excerpt, formatCost, formatCount, formatDuration } from "@massgen/views";
import { counted } from "../plain/names.js";

export interface Forecast {
  readonly questions: number;
  readonly contenders: number;
  /** Runs that are still to be made. */
  readonly runs: number;
  readonly leastCalls: number;
  /** `null`: nothing limits them. */
  readonly mostCalls: number | null;
}

/** What is ahead, before anything is paid for. */
export function forecastText({ questions, contenders, runs, leastCalls, mostCalls }: Forecast): string {
  const all = questions * contenders;
  const done = all - runs;
  const sum = `${counted(questions, "question")} × ${counted(contenders, "contender")} = ${counted(all, "run")}`;
  if (runs === 0) return `${sum}, all done: nothing is left to ask`;
  const most =
    mostCalls === null
      ? "; no budget limits them (orchestrator.budget of the config would)"
      : `, at most ${formatCount(mostCalls)} by the budget`;
  return `${sum}${done > 0 ? `, ${done} of them done` : ""}: at least ${counted(leastCalls, "call")} to models${most}`;
}

/** One result as it comes in. `leftMs`: the time that is probably left; `null` when nobody can tell. */
export function progressText({ result, done, total }: Progress, name: string, leftMs: number | null): string {
  const left = leftMs === null ? "" : ` · about ${formatDuration(leftMs)} left`;
  return `[${done}/${total}] ${result.question} · ${name}: ${outcomeText(result)} · ${result.cost_usd === null ? "price unknown" : formatCost(result.cost_usd)} · ${formatDuration(result.duration_ms)}${left}`;
}

function outcomeText({ outcome, read, expected, error }: EvaluationResult): string {
  if (outcome === "failed") return `failed: ${excerpt(error ?? "for no known reason", 160)}`;
  const said = read === null ? "" : ` (${excerpt(read, 40)})`;
  return outcome === "correct" ? `correct${said}` : `wrong${read === null ? "" : ` (${excerpt(read, 40)}, not ${excerpt(expected, 40)})`}`;
}

/** The same for scripts: `1/80 correct question="q1" contender="team" …`. */
export function progressLine({ result, done, total }: Progress): string {
  const { outcome, question, contender, read, cost_usd, calls, duration_ms, error } = result;
  return [
    `${done}/${total}`,
    outcome,
    pair("question", question),
    pair("contender", contender),
    pair("read", read),
    `cost_usd=${cost_usd ?? "unknown"}`,
    `calls=${calls}`,
    `seconds=${(duration_ms / 1000).toFixed(1)}`,
    ...(error === null ? [] : [pair("error", error)]),
  ].join(" ");
}

/** The summary for scripts, numbers without units: shares from 0 to 1, dollars, seconds. */
export function summaryLines({ contenders, pairing }: EvaluationSummary): readonly string[] {
  return [
    ...contenders.map((one) =>
      [
        `CONTENDER: ${JSON.stringify(one.id)}`,
        `correct=${one.correct}`,
        `wrong=${one.wrong}`,
        `failed=${one.failed}`,
        `open=${one.open}`,
        `accuracy=${numberText(one.accuracy)}`,
        `low=${numberText(one.interval.low)}`,
        `high=${numberText(one.interval.high)}`,
        `cost_usd=${one.cost_usd ?? "unknown"}`,
        `cost_per_correct_usd=${one.cost_per_correct_usd ?? (one.cost_usd === null ? "unknown" : "none")}`,
        `tokens=${one.input_tokens + one.output_tokens}`,
        `calls=${one.calls}`,
        `median_seconds=${one.median_duration_ms === null ? "none" : (one.median_duration_ms / 1000).toFixed(1)}`,
      ].join(" "),
    ),
    ...(pairing === null
      ? []
      : [
          `PAIRED: ${JSON.stringify(pairing.first)} against=${JSON.stringify(pairing.second)} both=${pairing.counts.both} only_first=${pairing.counts.onlyFirst} only_second=${pairing.counts.onlySecond} neither=${pairing.counts.neither} difference=${numberText(pairing.difference)} low=${numberText(pairing.interval.low)} high=${numberText(pairing.interval.high)} p=${numberText(pairing.p)}`,
        ]),
  ];
}

const pair = (key: string, value: string | null): string => `${key}=${value === null ? "none" : JSON.stringify(excerpt(value, 200))}`;
const numberText = (value: number | null): string => (value === null ? "none" : String(Number(value.toPrecision(4))));
