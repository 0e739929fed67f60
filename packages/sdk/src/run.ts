import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { MassgenError, type RunEvent } from "@massgen/contracts";
import { type Conversation, savedWith } from "./conversation/conversation.js";
import { openConversation, planOf } from "./conversation/open-conversation.js";
import { failure } from "./failure.js";
import type { RunOptions } from "./options.js";
import { prepareRun, type RunningRun } from "./prepare-run.js";
import { withReferences } from "./references/with-references.js";
import type { FinishedRun, RunResult } from "./result.js";
import type { SendOptions } from "./send-input.js";
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
  /**
   * Says something to the agents, or to one of them, while they work. Resolves with whether anybody could still hear it: not
   * when the run is over, and not when it could not start.
   *
   * @throws MassgenError `USAGE` for a text that is blank or has more than 50,000 characters, and for an agent there is not
   */
  readonly send: (text: string, options?: SendOptions) => Promise<boolean>;
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
    send: async (text, options) => {
      const begun = await running.catch(() => null);
      return begun === null ? false : begun.send(text, options);
    },
    async *[Symbol.asyncIterator]() {
      yield* await running;
    },
  };
}

async function begin(asked: string, given: RunOptions): Promise<RunningRun> {
  const { question, options } = await withReferences(asked, given);
  const { signal, onEvent, verbose, sessionId } = options;
  const tell = verbose === true ? tellRun((line) => process.stderr.write(`${line}\n`)) : undefined;
  const watching = {
    ...(signal === undefined ? {} : { signal }),
    onEvent: (event: RunEvent): void => {
      tell?.(event);
      onEvent?.(event);
    },
  };
  if (sessionId === undefined) return (await prepareRun({ ...(await planOf(options)), question, ...watching })).start();
  const conversation = await openConversation(options);
  try {
    const prepared = await conversation.prepare(question, watching);
    const running = prepared.start();
    const closed = keptAndClosed(conversation, running.finished, prepared.saved);
    // Who only iterates learns of a failure there.
    closed.catch(() => {});
    return { ...running, finished: closed, [Symbol.asyncIterator]: () => running[Symbol.asyncIterator]() };
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

async function keptAndClosed(conversation: Conversation, finished: Promise<FinishedRun>, saved: Promise<void>): Promise<FinishedRun> {
  try {
    const end = await finished;
    await savedWith(end, saved);
    return end;
  } finally {
    await conversation.close();
  }
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
