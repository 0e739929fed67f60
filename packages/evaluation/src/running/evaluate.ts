import type { Contender } from "../contender.js";
import { gradeAnswer } from "../grading/grade.js";
import { expectedText, type Question } from "../question.js";
import { type EvaluationResult, keyOf } from "../records.js";

/** What came of asking. */
export interface Attempt {
  readonly answer: string | null;
  /** Why there is none; `null` with an answer. */
  readonly error: string | null;
  readonly status: string | null;
  readonly costUsd: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly calls: number;
  readonly durationMs: number;
  readonly log: string | null;
}

export type Verdict = { readonly is: "right" | "wrong" } | { readonly is: "unknown"; readonly why: string };

export interface Progress {
  readonly result: EvaluationResult;
  /** Results there are now, those of earlier sittings included, of how many there are to be. */
  readonly done: number;
  readonly total: number;
}

export interface EvaluateOptions {
  readonly questions: readonly Question[];
  readonly contenders: readonly Contender[];
  /** What is known from before, by `keyOf`: done unless it failed. */
  readonly known?: ReadonlyMap<string, EvaluationResult>;
  /** Failed results of before are tried again. Default false. */
  readonly retryFailed?: boolean;
  /** Runs at a time. Default 1. */
  readonly concurrency?: number;
  /** Failures in a row after which nothing more is begun. Default 5. */
  readonly giveUpAfter?: number;
  /** Asked before each run with what has been spent in this sitting; `true`: nothing more is begun. Default: never. */
  readonly isSpent?: (spent: Spent) => boolean;
  /** Asks one contender. `null`: it was cancelled, and there is no result. A rejection ends the evaluation. */
  readonly ask: (question: Question, contender: Contender, signal: AbortSignal) => Promise<Attempt | null>;
  /** Decides where the data set leaves that to a judge. */
  readonly judge: (question: Question, answer: string, signal: AbortSignal) => Promise<Verdict>;
  /** Keeps a result; the next of the same worker waits for it. */
  readonly record: (result: EvaluationResult) => Promise<void>;
  readonly onProgress?: (progress: Progress) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Requests to models and dollars; `costUsd` is `null` once a price was unknown. */
export interface Spent {
  readonly calls: number;
  readonly costUsd: number | null;
}

/** `gave_up`: too many failures in a row; `spent`: `isSpent` said so. */
export type EvaluationEnd = "finished" | "interrupted" | "gave_up" | "spent";

interface Job {
  readonly question: Question;
  readonly contender: Contender;
  readonly before: EvaluationResult | null;
}

/**
 * Asks every question of every contender, question by question, and records each result when it is there. Aborting the signal
 * stops what runs and begins nothing more. Rejects with the first rejection of `ask`, `judge` or `record`, once all that ran
 * has stopped.
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluationEnd> {
  const { known = new Map<string, EvaluationResult>(), giveUpAfter = 5, concurrency = 1, isSpent = () => false } = options;
  const jobs = openJobs(options, known);
  const total = options.questions.length * options.contenders.length;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let done = total - jobs.length;
  let failedInARow = 0;
  let spent: Spent = { calls: 0, costUsd: 0 };
  const ask: EvaluateOptions["ask"] = async (...question) => {
    const attempt = await options.ask(...question);
    if (attempt !== null) spent = { calls: spent.calls + attempt.calls, costUsd: sumOrNull(spent.costUsd, attempt.costUsd) };
    return attempt;
  };
  const mayBegin = (): boolean => !signal.aborted && failedInARow < giveUpAfter && !isSpent(spent);

  async function work(): Promise<void> {
    while (mayBegin()) {
      const job = jobs.shift();
      if (job === undefined) return;
      const result = await resultOf(job, { ...options, ask }, signal);
      if (result === null) return;
      await options.record(result);
      done += 1;
      failedInARow = result.outcome === "failed" ? failedInARow + 1 : 0;
      options.onProgress?.({ result, done, total });
    }
  }

  const workers = Array.from({ length: Math.max(1, concurrency) }, () =>
    work().catch((error: unknown) => {
      stop.abort(error);
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  const broken = ended.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  if (options.signal.aborted && done < total) return "interrupted";
  if (done === total) return "finished";
  return failedInARow >= giveUpAfter ? "gave_up" : "spent";
}

function openJobs({ questions, contenders, retryFailed = false }: EvaluateOptions, known: ReadonlyMap<string, EvaluationResult>): Job[] {
  return questions.flatMap((question) =>
    contenders.flatMap((contender) => {
      const before = known.get(keyOf(question.id, contender.id)) ?? null;
      const isOpen = before === null || (retryFailed && before.outcome === "failed");
      return isOpen ? [{ question, contender, before }] : [];
    }),
  );
}

/** `null` when it was interrupted. */
async function resultOf(job: Job, options: EvaluateOptions, signal: AbortSignal): Promise<EvaluationResult | null> {
  const { question, contender, before } = job;
  // An answer that could not be judged is not paid for again.
  const attempt = before?.answer == null ? await options.ask(question, contender, signal) : attemptOf(before);
  if (attempt === null) return null;
  const graded = await gradeOf(question, attempt, options, signal);
  if (graded === null) return null;
  const earlier = before?.answer == null ? before : null;
  return {
    type: "result",
    question: question.id,
    contender: contender.id,
    ...graded,
    expected: expectedText(question.check),
    answer: attempt.answer,
    status: attempt.status,
    cost_usd: earlier === null ? attempt.costUsd : sumOrNull(earlier.cost_usd, attempt.costUsd),
    input_tokens: attempt.inputTokens + (earlier?.input_tokens ?? 0),
    output_tokens: attempt.outputTokens + (earlier?.output_tokens ?? 0),
    calls: attempt.calls + (earlier?.calls ?? 0),
    duration_ms: Math.round(attempt.durationMs),
    log: attempt.log,
    at: new Date(options.now()).toISOString(),
  };
}

type Graded = Pick<EvaluationResult, "outcome" | "read" | "error">;

async function gradeOf(question: Question, attempt: Attempt, { judge }: EvaluateOptions, signal: AbortSignal): Promise<Graded | null> {
  const { answer } = attempt;
  if (answer === null) return { outcome: "failed", read: null, error: attempt.error ?? "there is no answer" };
  if (question.check.grade !== "judge") {
    const { isRight, read } = gradeAnswer(answer, question.check);
    return { outcome: isRight ? "correct" : "wrong", read, error: null };
  }
  const verdict = await judge(question, answer, signal);
  if (verdict.is !== "unknown") return { outcome: verdict.is === "right" ? "correct" : "wrong", read: null, error: null };
  return signal.aborted ? null : { outcome: "failed", read: null, error: `the judge: ${verdict.why}` };
}

const sumOrNull = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

const attemptOf = (result: EvaluationResult): Attempt => ({
  answer: result.answer,
  error: result.error,
  status: result.status,
  costUsd: result.cost_usd,
  inputTokens: result.input_tokens,
  outputTokens: result.output_tokens,
  calls: result.calls,
  durationMs: result.duration_ms,
  log: result.log,
});
