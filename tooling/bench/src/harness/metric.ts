import type { PairFigures } from "./measure-pairs.js";

/** Which number is held against the targets. */
export type Judged = "ratio" | "ours" | "difference";

/** One figure of one benchmark, ours beside the floor, with its targets. */
export interface Metric {
  /** `coord.3x1`. */
  readonly bench: string;
  readonly variant: string;
  readonly metric: string;
  readonly unit: string;
  readonly ours: number;
  /** The least a program could need; `null` when a target stands alone. */
  readonly floor: number | null;
  /** Ours over the floor: of timed figures the median of the pairwise ratios. */
  readonly ratio: number | null;
  /** The pairwise ratios' range; `null` for counted figures. */
  readonly min: number | null;
  readonly max: number | null;
  /** Measured pairs; 0 for counted figures. */
  readonly pairs: number;
  readonly judged: Judged;
  readonly better: "lower" | "higher";
  /** What a release keeps. */
  readonly must: number | null;
  /** What we are after. */
  readonly aim: number | null;
}

/** A figure that could not be taken, and why. */
export interface Skipped {
  readonly bench: string;
  readonly skipped: string;
}

export type Result = Metric | Skipped;

export const isSkipped = (result: Result): result is Skipped => "skipped" in result;

export type Verdict = "aim" | "must" | "missed" | "no target";

/** The number that counts: a ratio, a difference, or ours alone. */
export function figureOf(metric: Metric): number {
  if (metric.judged === "ratio") return metric.ratio ?? metric.ours;
  if (metric.judged === "difference") return metric.ours - (metric.floor ?? 0);
  return metric.ours;
}

const thousandths = (value: number): number => Math.round(value * 1000);

/** Equal is kept: targets are limits. Compared in thousandths, so that 1.0004 keeps a must of 1. */
export function verdictOf(metric: Metric): Verdict {
  const figure = thousandths(figureOf(metric));
  const keeps = (limit: number | null): boolean =>
    limit !== null && (metric.better === "lower" ? figure <= thousandths(limit) : figure >= thousandths(limit));
  if (keeps(metric.aim)) return "aim";
  if (keeps(metric.must)) return "must";
  return metric.must === null ? "no target" : "missed";
}

export interface Targets {
  readonly must?: number | null;
  readonly aim?: number | null;
  readonly better?: "lower" | "higher";
}

/** A figure without noise: counted, not timed. */
export function counted(
  name: { readonly bench: string; readonly variant?: string; readonly metric: string; readonly unit: string },
  values: { readonly ours: number; readonly floor?: number | null; readonly judged?: Judged },
  targets: Targets = {},
): Metric {
  const floor = values.floor ?? null;
  const judged = values.judged ?? (floor === null ? "ours" : "ratio");
  return {
    variant: "",
    ...name,
    ours: values.ours,
    floor,
    ratio: floor === null ? null : values.ours / floor,
    min: null,
    max: null,
    pairs: 0,
    judged,
    better: targets.better ?? "lower",
    must: targets.must ?? null,
    aim: targets.aim ?? null,
  };
}

/** A figure with noise: pairs of ours and a floor, taken in turn. */
export function timed(
  name: { readonly bench: string; readonly variant?: string; readonly metric: string; readonly unit: string },
  figures: PairFigures,
  targets: Targets = {},
  judged: Judged = "ratio",
): Metric {
  const { must = null, aim = null, better = "lower" } = targets;
  return { variant: "", ...name, ...figures, judged, better, must, aim };
}
