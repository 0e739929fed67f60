import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ErrorCode, MassgenError, type RunEvent, type RunStatus } from "@massgen/contracts";
import { type RunOptions, refuseLaterOptions } from "./options.js";
import { ownVersion } from "./own-version.js";
import { prepareRun, type RunningRun } from "./prepare-run.js";
import { resolveTeam } from "./resolve-team.js";
import type { FinishedRun, RunResult } from "./result.js";
import { tellRun } from "./tell-run.js";

/**
 * Asks a team one question and waits for the answer.
 *
 * Resolves whenever there is an answer, also a partial one or one after a time limit or cancel: `status` and `exitCode` say
 * which. Writes nothing to stdout or stderr, installs no signal handlers, and leaves nothing behind in the process: runs side
 * by side are independent.
 *
 * @throws MassgenError without an answer: `code` and `exitCode` tell the class, `partial` is the run as it ended.
 *
 * @example
 * const result = await run("Compare REST and GraphQL", { models: ["groq/llama-3.3-70b-versatile", "ollama/qwen3"] });
 * console.log(result.finalAnswer, result.winner, result.usage.estimatedCost);
 */
export async function run(question: string, options: RunOptions = {}): Promise<RunResult> {
  const running = await begin(question, options);
  return settle(await running.finished, options);
}

/** All facts of a run from the first one on, the deltas that pass, and the result. */
export interface RunStream extends AsyncIterable<RunEvent> {
  readonly result: Promise<RunResult>;
  /**
   * Asks for the result: agents at work are told to wrap up, and once all have an answer they may only vote. Resolves with
   * whether the run took it: not after the decision, not twice, and not when it could not start.
   */
  readonly answerNow: (reason?: string) => Promise<boolean>;
}

/**
 * As `run`, to be watched. Begins at once; every iteration gets all facts, and throws what keeps the run from starting.
 * Leaving the loop stops watching, not the run: abort `options.signal` for that.
 *
 * @example
 * const stream = runStream("Which cache policy fits?", { config: "team.yaml" });
 * for await (const event of stream) if (event.type === "vote_cast") console.log(event.agent, event.targetLabel, event.reason);
 * console.log((await stream.result).finalAnswer);
 */
export function runStream(question: string, options: RunOptions = {}): RunStream {
  const running = begin(question, options);
  const result = running.then(async ({ finished }) => settle(await finished, options));
  // Who only iterates learns of a failure there.
  result.catch(() => {});
  return {
    result,
    answerNow: async (reason) => {
      try {
        return await (await running).answerNow(reason);
      } catch {
        // Whoever waits for the result, or watches, gets this error.
        return false;
      }
    },
    async *[Symbol.asyncIterator]() {
      yield* await running;
    },
  };
}

async function begin(question: string, options: RunOptions): Promise<RunningRun> {
  refuseLaterOptions(options);
  const { env = process.env, cwd = process.cwd(), conversationHistory, enableLogging, signal, fetch, onEvent, verbose } = options;
  const team = await resolveTeam(options, { env, cwd });
  const tell = verbose === true ? tellRun((line) => process.stderr.write(`${line}\n`)) : undefined;
  const prepared = await prepareRun({
    question,
    loaded: team.loaded,
    rateLimits: team.rateLimits,
    prices: team.prices,
    cwd: resolve(cwd),
    env,
    logs: enableLogging === true ? { cwd, version: ownVersion(), configPath: team.path } : null,
    modulesFrom: [...(team.path === null ? [] : [dirname(team.path)]), resolve(cwd)],
    ...(conversationHistory === undefined ? {} : { history: conversationHistory.map(({ role, content }) => ({ role, text: content })) }),
    ...(signal === undefined ? {} : { signal }),
    ...(fetch === undefined ? {} : { fetch }),
    onEvent: (event) => {
      tell?.(event);
      onEvent?.(event);
    },
  });
  return prepared.start();
}

async function settle(finished: FinishedRun, { outputFile, cwd = process.cwd() }: RunOptions): Promise<RunResult> {
  const { finalAnswer } = finished;
  if (finalAnswer === null) throw failure(finished);
  if (outputFile !== undefined) await writeAnswer(resolve(cwd, outputFile), finalAnswer, finished);
  return { ...finished, finalAnswer };
}

/** @throws MassgenError `STORE_FAILED` with the run as `partial`: the answer is not lost with the file */
export async function writeAnswer(path: string, text: string, finished: FinishedRun): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MassgenError("STORE_FAILED", `The answer could not be written to ${path}: ${why}.`, { cause, partial: finished });
  }
}

/** The error for a run that ended without an answer. */
export function failure(finished: FinishedRun): MassgenError {
  const [code, words] = FAILURES[finished.status];
  const message = finished.message ?? words;
  const hint = finished.logDirectory === null ? "" : `The log of the run is in ${finished.logDirectory}.`;
  return new MassgenError(code, message, { exitCode: finished.exitCode === 0 ? 2 : finished.exitCode, partial: finished, hint });
}

const FAILURES: Readonly<Record<RunStatus, readonly [ErrorCode, string]>> = {
  completed: ["RUN_FAILED", "The run ended without an answer."],
  tool_calls: ["RUN_FAILED", "The run ended without an answer."],
  partial: ["RUN_FAILED", "The run ended without an answer."],
  error: ["RUN_FAILED", "No agent produced an answer."],
  timeout: ["RUN_TIMEOUT", "The time limit was reached before there was an answer."],
  cancelled: ["RUN_CANCELLED", "The run was cancelled before there was an answer."],
  budget: ["RUN_BUDGET", "The budget was used up before there was an answer."],
};
