import { figureOf, isSkipped, type Metric, type Result, verdictOf } from "./metric.js";

const HEAD = ["figure", "ours", "floor", "ratio", "min–max", "must", "aim", ""] as const;

const VERDICT = { aim: "aim kept", must: "must kept", missed: "MISSED", "no target": "" } as const;

/** The results as a table for people, one line per figure. */
export function formatTable(results: readonly Result[]): string {
  const metrics = results.filter((result): result is Metric => !isSkipped(result));
  const rows = [HEAD, ...metrics.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
  const skipped = results.filter(isSkipped).map((result) => `${result.bench}: skipped, ${result.skipped}`);
  return [...lines, ...(skipped.length > 0 ? ["", ...skipped] : [])].join("\n");
}

function rowOf(metric: Metric): readonly string[] {
  return [
    nameOf(metric),
    `${number(metric.ours)} ${metric.unit}`.trimEnd(),
    metric.floor === null ? "" : number(metric.floor),
    metric.ratio === null ? "" : number(metric.ratio),
    metric.min === null || metric.max === null ? "" : `${number(metric.min)}–${number(metric.max)}`,
    target(metric, metric.must),
    target(metric, metric.aim),
    VERDICT[verdictOf(metric)],
  ];
}

const nameOf = ({ bench, variant, metric }: Pick<Metric, "bench" | "variant" | "metric">): string =>
  [bench, variant, metric].filter((part) => part !== "").join(" · ");

function target(metric: Metric, value: number | null): string {
  if (value === null) return "";
  const sign = metric.better === "lower" ? "≤" : "≥";
  return `${sign}${metric.judged === "difference" && value >= 0 ? "+" : ""}${number(value)}`;
}

/** Three digits that count, never an exponent. */
function number(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 3);
}

/** Each figure beside what it was, as a ratio of ratios, with the spread of both. */
export function formatComparison(now: readonly Result[], before: readonly Metric[]): string {
  const lines = now.flatMap((result) => {
    if (isSkipped(result)) return [];
    const old = before.find((other) => nameOf(other) === nameOf(result));
    if (old === undefined) return [`${nameOf(result)}: ${number(figureOf(result))}, new`];
    const change = figureOf(old) === 0 ? null : figureOf(result) / figureOf(old);
    return [
      `${nameOf(result)}: ${number(figureOf(old))}${spread(old)} → ${number(figureOf(result))}${spread(result)}${change === null ? "" : `  × ${number(change)}`}`,
    ];
  });
  return lines.join("\n");
}

const spread = ({ min, max }: Metric): string => (min === null || max === null ? "" : ` (${number(min)}–${number(max)})`);
