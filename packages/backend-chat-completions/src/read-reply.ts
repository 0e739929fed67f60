import {
  type Asked,
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  classifyNetworkError,
  classifyStreamError,
  classifyUnexpectedBody,
  readEventStream,
  type StreamEvent,
  showUrl,
  transient,
} from "@massgen/backend-kit";
import type { Clock } from "@massgen/contracts";
import { type ChatStream, takeChunk, takeEvents } from "./chat-stream.js";
import { type ClosingContext, closeTurn } from "./close-turn.js";
import { isObject } from "./json.js";

export interface ReplyContext extends ClosingContext {
  readonly asked: Asked;
  readonly attempt: AttemptContext;
  readonly clock: Clock;
}

/** How long a response that has said its last word may keep the connection open. */
const AFTER_FINISH_MS = 5000;
/** The same after `[DONE]`: enough for the connection to end cleanly and be used again. */
const AFTER_DONE_MS = 100;

/** Why the reading is stopped; a reason of our own, because the default one costs a stack trace. */
const ENOUGH = "nothing more is expected";

/** Finish words that say the vendor gave up, and not that the answer is over. */
const FAILED_FINISH = new Set(["error", "insufficient_system_resource"]);

/**
 * Reads one response to its end. Yields what streams, then the calls and `turn_end`; throws `AttemptError` for an error
 * inside the response and for a response that ended before it said so.
 */
export async function* readReply(
  response: Response,
  stream: ChatStream,
  context: ReplyContext,
): AsyncGenerator<AttemptEvent, void, undefined> {
  const { asked, attempt, clock } = context;
  const contentType = response.headers.get("content-type");
  if (contentType?.includes("html") === true)
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, await response.text()));

  const farewell = new AbortController();
  attempt.signal.addEventListener("abort", () => farewell.abort(ENOUGH), { once: true });
  let isDone = false;
  let hasFinished = false;
  let lastSignMs = 0;
  /** Ends the reading once nothing has come for `ms`; the end of the reading ends the watch. */
  async function endWhenQuiet(ms: number): Promise<void> {
    while (clock.monotonic() < lastSignMs + ms) await clock.sleepUntil(lastSignMs + ms, farewell.signal);
    farewell.abort(ENOUGH);
  }
  const endQuietly = (ms: number): void => void endWhenQuiet(ms).catch(() => {});

  try {
    for await (const events of await openEvents(response, contentType, farewell.signal, asked)) {
      for (const event of events) {
        if (isDone) break;
        isDone = event.data.trim() === "[DONE]";
        if (!isDone) takeEvent(stream, event, asked);
      }
      if (stream.alive) attempt.alive();
      if (stream.alive || isDone) lastSignMs = clock.monotonic();
      stream.alive = false;
      for (const event of takeEvents(stream)) yield event;
      if (isDone) endQuietly(AFTER_DONE_MS);
      else if (stream.finish !== null && !hasFinished) {
        hasFinished = true;
        endQuietly(AFTER_FINISH_MS);
      }
    }
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    // What was promised to come after the last word is not missed.
    if (!isDone && stream.finish === null) throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  } finally {
    farewell.abort(ENOUGH);
  }
  const failure = whyIncomplete(stream, isDone, asked, contentType, response.status);
  if (failure !== null) throw new AttemptError(failure);
  yield* closeTurn(stream, context);
}

type Batches = AsyncIterable<readonly StreamEvent[]> | Iterable<readonly StreamEvent[]>;

/** The events of a stream; a server that does not stream gives one event that holds all. */
async function openEvents(response: Response, contentType: string | null, stop: AbortSignal, asked: Asked): Promise<Batches> {
  if (response.body === null) return [];
  if (contentType?.includes("application/json") !== true) return readEventStream(response.body, stop);
  const text = await response.text();
  const value = parse(text);
  // Some gateways put the wrong name on a stream.
  if (!isObject(value)) return readEventStream(new Blob([text]).stream(), stop);
  if (!("choices" in value) && !("error" in value))
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, text));
  return [
    [
      { event: undefined, data: text },
      { event: undefined, data: "[DONE]" },
    ],
  ];
}

function takeEvent(stream: ChatStream, { event, data }: StreamEvent, asked: Asked): void {
  const value = parse(data);
  if (event === "error") throw new AttemptError(classifyStreamError(asked, value ?? data));
  if (!isObject(value)) return;
  if (value["error"] !== undefined && value["error"] !== null) throw new AttemptError(classifyStreamError(asked, value));
  takeChunk(stream, value);
}

function whyIncomplete(stream: ChatStream, isDone: boolean, asked: Asked, contentType: string | null, status: number) {
  const { finish, chunks } = stream;
  if (finish !== null && FAILED_FINISH.has(finish))
    return transient(`${asked.vendor} gave up on its answer (finish_reason ${finish}, model ${asked.model}).`);
  if (finish !== null) return null;
  if (chunks === 0 && contentType?.includes("event-stream") !== true) return classifyUnexpectedBody(asked, status, contentType, "");
  const at = `(model ${asked.model}, at ${showUrl(asked.url)})`;
  if (chunks === 0) return transient(`${asked.vendor} answered with an empty stream ${at}.`);
  if (isDone) return null;
  return transient(
    `The stream of ${asked.vendor} broke off after ${chunks} ${chunks === 1 ? "chunk" : "chunks"}, before the answer was complete ${at}.`,
  );
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return null;
  }
}
