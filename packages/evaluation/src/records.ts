import { MassgenError } from "@massgen/contracts";

/** First line of a results file: what its results are of. */
export interface EvaluationHeader {
  readonly type: "evaluation";
  readonly schema_version: 1;
  readonly dataset: { readonly name: string; readonly sha256: string };
  /** `path` is `null` for a team that came from no file. */
  readonly config: { readonly path: string | null; readonly sha256: string };
  readonly contenders: readonly { readonly id: string; readonly name: string; readonly agent: string | null }[];
  /** Ids of the questions, in the order in which they are asked. */
  readonly questions: readonly string[];
  /** What drew the questions; `null` when they are the first of the file. */
  readonly seed: number | null;
  /** No model is asked. */
  readonly simulated: boolean;
  readonly massgen_version: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
}

/** One question asked of one contender. Of several lines about the same the last one counts. */
export interface EvaluationResult {
  readonly type: "result";
  readonly question: string;
  readonly contender: string;
  /** `failed`: it could not be asked or judged; says nothing about the contender. */
  readonly outcome: "correct" | "wrong" | "failed";
  readonly expected: string;
  /** What the answer was taken to say; `null` when nothing could be read from it, or by others than us. */
  readonly read: string | null;
  /** The whole answer; `null` without one. */
  readonly answer: string | null;
  readonly error: string | null;
  /** Status of the run: `completed`, `timeout`, `budget` …; `null` when there was none. */
  readonly status: string | null;
  /** Of all tries at this question; `null` when a price is unknown. */
  readonly cost_usd: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Requests to models. */
  readonly calls: number;
  /** Of the last try. */
  readonly duration_ms: number;
  /** Folder of the run's log; `null` without one. */
  readonly log: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface EvaluationFile {
  readonly header: EvaluationHeader;
  /** In the order of the file. */
  readonly results: readonly EvaluationResult[];
  /** Bytes of UTF-8 up to the end of the last whole line: a line torn by a crash begins there. */
  readonly wholeBytes: number;
}

/**
 * Reads a results file. A last line that a crash tore is left out; `null` when there is no whole line yet.
 *
 * @throws MassgenError `CONFIG_INVALID` (exit 1) when it is no results file, or damaged in the middle
 */
export function readEvaluation(text: string, name: string): EvaluationFile | null {
  const end = text.lastIndexOf("\n") + 1;
  const lines = text.slice(0, end).split("\n").slice(0, -1);
  if (lines.length === 0) {
    // Only a file of ours whose first line was torn may be begun anew.
    if (!BEGINNING.startsWith(text.slice(0, BEGINNING.length))) throw notResults(name, 1, "is not the beginning of one");
    return null;
  }
  const [first, ...rest] = lines.map((line, index) => parseLine(line, name, index + 1));
  if (first?.["type"] !== "evaluation" || first["schema_version"] !== 1) throw notResults(name, 1, "is not the beginning of one");
  const stray = rest.findIndex((line) => line["type"] !== "result");
  if (stray >= 0) throw notResults(name, stray + 2, "is no result");
  return {
    // Written by us and named so; the fields are those of the schema above.
    header: first as unknown as EvaluationHeader,
    results: rest as unknown as readonly EvaluationResult[],
    wholeBytes: new TextEncoder().encode(text.slice(0, end)).length,
  };
}

const BEGINNING = '{"type":"evaluation"';

function parseLine(line: string, name: string, at: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw notResults(name, at, "is no JSON object");
}

const notResults = (name: string, line: number, what: string): MassgenError =>
  new MassgenError("CONFIG_INVALID", `${name} is no results file of an evaluation: line ${line} ${what}.`, {
    exitCode: 1,
    hint: "Name another file with --results.",
  });

/** What keeps results from being added to this file, one sentence each; empty when they fit. */
export function mismatches(file: EvaluationHeader, now: EvaluationHeader): readonly string[] {
  return [
    ...(file.dataset.sha256 === now.dataset.sha256 ? [] : [`its data set is another (${file.dataset.name}, or its content has changed)`]),
    ...(file.config.sha256 === now.config.sha256 ? [] : ["the config, or a flag that changes it, is not what it was"]),
    ...(file.simulated === now.simulated ? [] : [file.simulated ? "its models were simulated" : "its models were real"]),
    ...(sameList(file.questions, now.questions) ? [] : ["--limit or --seed pick other questions"]),
    ...(sameList(
      file.contenders.map(({ id }) => id),
      now.contenders.map(({ id }) => id),
    )
      ? []
      : ["its contenders are others"]),
  ];
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, place) => one === b[place]);

/** `question` and `contender` as one key. */
export const keyOf = (question: string, contender: string): string => JSON.stringify([question, contender]);

/** The result that counts of each question and contender. */
export function lastResults(results: readonly EvaluationResult[]): ReadonlyMap<string, EvaluationResult> {
  return new Map(results.map((result) => [keyOf(result.question, result.contender), result]));
}
