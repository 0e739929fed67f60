import {
  type Asked,
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  classifyNetworkError,
  classifyUnexpectedBody,
  readEventStream,
  type StreamEvent,
  showUrl,
  transient,
} from "@massgen/backend-kit";
import type { Clock } from "@massgen/contracts";
import { classifyErrorChunk } from "./classify.js";
import { type ContentStream, takeChunk, takeEvents } from "./content-stream.js";
import { finishKind } from "./finish.js";
import { isObject } from "./json.js";

export interface ReplyContext {
  readonly asked: Asked;
  readonly attempt: AttemptContext;
  readonly clock: Clock;
}

/** How long a response that has said its last word may keep the connection open. */
const AFTER_FINISH_MS = 5000;
/** The same after a gateway's `[DONE]`: enough for the connection to end cleanly and be used again. */
const AFTER_DONE_MS = 100;

/**
 * Reads one response to its end into `stream` and yields what streams. Throws `AttemptError` for an error inside the response,
 * for one that gave up, and for one that ended before it said so.
 */
export async function* readReply(
  response: Response,
  stream: ContentStream,
  { asked, attempt, clock }: ReplyContext,
): AsyncGenerator<AttemptEvent, void, undefined> {
  const contentType = response.headers.get("content-type");
  if (contentType?.includes("html") === true)
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, await response.text()));

  const farewell = new AbortController();
  const onAbort = (): void => farewell.abort();
  attempt.signal.addEventListener("abort", onAbort, { once: true });
  let isDone = false;
  let isEnding = false;
  let lastSignMs = 0;
  /** Ends the reading once nothing has come for `ms`; sleeps no longer than the reading lasts. */
  async function endWhenQuiet(ms: number): Promise<void> {
    while (clock.monotonic() < lastSignMs + ms) await clock.sleepUntil(lastSignMs + ms, farewell.signal);
    farewell.abort();
  }
  const endQuietly = (ms: number): void => void endWhenQuiet(ms).catch(() => {});

  try {
    for await (const events of await openEvents(response, contentType, farewell.signal, asked)) {
      for (const { data } of events) {
        if (isDone) break;
        isDone = data.trim() === "[DONE]";
        if (!isDone) takeData(stream, data, asked);
      }
      if (stream.alive) attempt.alive();
      if (stream.alive || isDone) lastSignMs = clock.monotonic();
      stream.alive = false;
      for (const event of takeEvents(stream)) yield event;
      if (isDone) endQuietly(AFTER_DONE_MS);
      else if (isOver(stream) && !isEnding) {
        isEnding = true;
        endQuietly(AFTER_FINISH_MS);
      }
    }
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    // What was promised to come after the last word is not missed.
    if (!isDone && !isOver(stream)) throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  } finally {
    attempt.signal.removeEventListener("abort", onAbort);
    farewell.abort();
  }
  const failure = whyIncomplete(stream, isDone, asked, contentType, response.status);
  if (failure !== null) throw new AttemptError(failure);
}

function isOver({ finish, blockReason }: ContentStream): boolean {
  return finish !== null || blockReason !== null;
}

type Batches = AsyncIterable<readonly StreamEvent[]> | Iterable<readonly StreamEvent[]>;

/** The events of a stream; a server that does not stream gives one event that holds all. */
async function openEvents(response: Response, contentType: string | null, stop: AbortSignal, asked: Asked): Promise<Batches> {
  if (response.body === null) return [];
  if (contentType?.includes("application/json") !== true) return readEventStream(response.body, stop);
  const text = await response.text();
  const value = parse(text);
  // Some gateways put the wrong name on a stream.
  if (typeof value !== "object" || value === null) return readEventStream(new Blob([text]).stream(), stop);
  // Without `alt=sse` Google sends the same chunks as a list.
  const chunks = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (!chunks.some((chunk) => isObject(chunk) && ("candidates" in chunk || "promptFeedback" in chunk || "error" in chunk)))
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, text));
  return [chunks.map((chunk) => ({ event: undefined, data: JSON.stringify(chunk) }))];
}

function takeData(stream: ContentStream, data: string, asked: Asked): void {
  const parsed = parse(data);
  const chunk: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(chunk)) return;
  if (chunk["error"] !== undefined && chunk["error"] !== null) throw new AttemptError(classifyErrorChunk(asked, chunk));
  takeChunk(stream, chunk);
}

function whyIncomplete(stream: ContentStream, isDone: boolean, asked: Asked, contentType: string | null, status: number) {
  const { finish, finishMessage, chunks } = stream;
  const at = `(model ${asked.model}, at ${showUrl(asked.url)})`;
  if (finish !== null && finishKind(finish) === "failed")
    return transient(
      `${asked.vendor} gave up on its answer, finish reason ${finish} ${at}${finishMessage === "" ? "" : `: ${finishMessage}`}.`,
    );
  if (isOver(stream)) return null;
  if (chunks === 0 && contentType?.includes("event-stream") !== true) return classifyUnexpectedBody(asked, status, contentType, "");
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
