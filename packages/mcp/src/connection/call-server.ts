import type { JsonValue } from "@massgen/contracts";
import type { Breaker } from "../breaker.js";
import type { McpServer } from "../server.js";
import type { Connection } from "./connection.js";
import { classifyFailure, type Failure, wordsOf } from "./server-fault.js";
import type { Slots } from "./slots.js";

export interface ServerCall {
  readonly method: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  /** Default false. */
  readonly asTask?: boolean;
  /** Another attempt does no harm, by the word of the user or of a server that is trusted. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  progress(note: string): void;
}

/** A result as the server sent it, or a sentence for the model. */
export type Called = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly text: string };

const MOST_REPEATS = 2;

/**
 * One call, as often as is safe: again when the request never left, or when doing it twice does no harm; never after a
 * server may have acted (docs/spec/tools.md 5.5).
 */
export async function callServer(connection: Connection, breaker: Breaker, slots: Slots, call: ServerCall): Promise<Called> {
  const { server } = connection;
  const release = await slots.take(call.signal);
  try {
    const waitMs = breaker.waitMs();
    if (waitMs > 0)
      return told(
        `SERVER_UNAVAILABLE: the server ${server.name} does not answer; retry in ${Math.ceil(waitMs / 1000)} s, or go on without it.`,
      );
    for (let repeats = 0; ; repeats++) {
      const attempt = await callOnce(connection, call);
      if (attempt.type === "result") {
        breaker.succeeded();
        return { ok: true, result: attempt.result };
      }
      call.signal.throwIfAborted();
      const { failure, words } = attempt;
      if (failure === "answered" || failure === "refused") {
        // An answer, though not the one that was hoped for.
        breaker.succeeded();
        return told(words);
      }
      const mayRepeat = failure === "unsent" || (call.isRepeatable && failure === "broken");
      if (mayRepeat && repeats < Math.min(MOST_REPEATS, server.maxRetries)) continue;
      breaker.failed();
      return told(sentenceOf(failure, words, server));
    }
  } finally {
    release();
  }
}

const told = (text: string): Called => ({ ok: false, text });

function sentenceOf(failure: Failure, words: string, { name, callTimeoutMs }: McpServer): string {
  if (failure === "late")
    return `TOOL_TIMEOUT: the server ${name} did not answer within ${callTimeoutMs / 1000} s. Side effects may have happened.`;
  if (failure === "unsent") return `SERVER_UNAVAILABLE: the server ${name} was not reached, and nothing was done: ${words}`;
  return `SERVER_UNAVAILABLE: the server ${name} was lost during the call: ${words}. Side effects may have happened.`;
}

type Attempt =
  | { readonly type: "result"; readonly result: unknown }
  | { readonly type: "failed"; readonly failure: Failure; readonly words: string };

async function callOnce(connection: Connection, { method, params, asTask = false, signal, progress }: ServerCall): Promise<Attempt> {
  const { callTimeoutMs } = connection.server;
  let session: Awaited<ReturnType<Connection["session"]>>;
  try {
    session = await connection.session(signal);
  } catch (error) {
    return { type: "failed", failure: "unsent", words: wordsOf(error) };
  }
  try {
    const result = await session.request(method, params, {
      asTask,
      timeoutMs: callTimeoutMs,
      signal,
      onProgress: ({ progress: done, total, message }) => progress(message ?? (total === undefined ? String(done) : `${done} of ${total}`)),
    });
    return { type: "result", result };
  } catch (error) {
    const failure = classifyFailure(error);
    const words = failure === "broken" ? await lastWords(session.over, wordsOf(error)) : wordsOf(error);
    // The server has closed or forgotten this session; a call that follows gets another one.
    if (!signal.aborted && (failure === "broken" || failure === "unsent")) connection.drop(session, words);
    return { type: "failed", failure, words };
  }
}

/** A connection that ends says why a moment after its requests have failed. */
const lastWords = (over: Promise<string>, otherwise: string): Promise<string> =>
  Promise.race([
    over,
    new Promise<string>((resolve) => {
      setTimeout(resolve, 50, otherwise);
    }),
  ]);
