import { type EvaluationHeader, type EvaluationResult, keyOf, lastResults } from "../records.js";
import { type Interval, wilsonInterval } from "../statistics/interval.js";
import { type PairCounts, type PairedDifference, pairedDifference } from "../statistics/paired.js";

export interface ContenderSummary {
  readonly id: string;
  readonly name: string;
  readonly correct: number;
  readonly wrong: number;
  /** Neither: they could not be asked or judged. */
  readonly failed: number;
  /** Not asked yet. */
  readonly open: number;
  /** Of those graded, from 0 to 1; `null` when none is. */
  readonly accuracy: number | null;
  /** 95 %, Wilson. */
  readonly interval: Interval;
  /** Of all that was asked, also what failed; `null` when a price is unknown. */
  readonly cost_usd: number | null;
  /** `null` when a price is unknown or nothing was correct. */
  readonly cost_per_correct_usd: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly calls: number;
  /** Middle one of the graded; `null` without any. */
  readonly median_duration_ms: number | null;
}

/** The team against the agent that did best alone, on the questions both were graded on. */
export interface Pairing extends PairedDifference {
  readonly first: string;
  readonly second: string;
  readonly counts: PairCounts;
}

export interface EvaluationSummary {
  readonly dataset: string;
  readonly questions: number;
  readonly simulated: boolean;
  readonly contenders: readonly ContenderSummary[];
  /** `null` for a team of one, and until there is a question in common. */
  readonly pairing: Pairing | null;
}

export function summarise(header: EvaluationHeader, results: readonly EvaluationResult[]): EvaluationSummary {
  const last = lastResults(results);
  const contenders = header.contenders.map(({ id, name }) => summaryOf(id, name, header.questions, last));
  return {
    dataset: header.dataset.name,
    questions: header.questions.length,
    simulated: header.simulated,
    contenders,
    pairing: pairingOf(header, contenders, last),
  };
}

type Last = ReadonlyMap<string, EvaluationResult>;

function summaryOf(id: string, name: string, questions: readonly string[], last: Last): ContenderSummary {
  const mine = questions.flatMap((question) => last.get(keyOf(question, id)) ?? []);
  const count = (outcome: EvaluationResult["outcome"]): number => mine.filter((result) => result.outcome === outcome).length;
  const [correct, wrong] = [count("correct"), count("wrong")];
  const graded = correct + wrong;
  const cost = costOf(mine);
  return {
    id,
    name,
    correct,
    wrong,
    failed: count("failed"),
    open: questions.length - mine.length,
    accuracy: graded === 0 ? null : correct / graded,
    interval: wilsonInterval(correct, graded),
    cost_usd: cost,
    cost_per_correct_usd: cost === null || correct === 0 ? null : cost / correct,
    input_tokens: sum(mine.map((result) => result.input_tokens)),
    output_tokens: sum(mine.map((result) => result.output_tokens)),
    calls: sum(mine.map((result) => result.calls)),
    median_duration_ms: median(mine.filter(({ outcome }) => outcome !== "failed").map((result) => result.duration_ms)),
  };
}

/** One unknown price makes the sum unknown: what is left would look cheap. Nothing asked yet has cost nothing. */
const costOf = (results: readonly EvaluationResult[]): number | null =>
  results.reduce<number | null>((total, { cost_usd }) => (total === null || cost_usd === null ? null : total + cost_usd), 0);

function pairingOf(header: EvaluationHeader, contenders: readonly ContenderSummary[], last: Last): Pairing | null {
  const team = header.contenders.find(({ agent }) => agent === null);
  const best = bestAlone(contenders.filter(({ id }) => id !== team?.id));
  if (team === undefined || best === null) return null;
  const pairs = header.questions.flatMap((question) => {
    const [first, second] = [last.get(keyOf(question, team.id)), last.get(keyOf(question, best.id))];
    if (first === undefined || second === undefined || first.outcome === "failed" || second.outcome === "failed") return [];
    return [{ first: first.outcome === "correct", second: second.outcome === "correct" }];
  });
  const counts: PairCounts = {
    both: pairs.filter(({ first, second }) => first && second).length,
    onlyFirst: pairs.filter(({ first, second }) => first && !second).length,
    onlySecond: pairs.filter(({ first, second }) => !first && second).length,
    neither: pairs.filter(({ first, second }) => !first && !second).length,
  };
  const difference = pairedDifference(counts);
  return difference === null ? null : { first: team.id, second: best.id, counts, ...difference };
}

/** The highest accuracy; of equals the cheaper one, where both prices are known, else the first of the config. */
function bestAlone(alone: readonly ContenderSummary[]): ContenderSummary | null {
  let best: ContenderSummary | null = null;
  for (const one of alone) {
    if (one.accuracy === null) continue;
    const lead = one.accuracy - (best?.accuracy ?? -1);
    const isCheaper = one.cost_usd !== null && best?.cost_usd != null && one.cost_usd < best.cost_usd;
    if (lead > 0 || (lead === 0 && isCheaper)) best = one;
  }
  return best;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function median(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? null) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
