import {
  type Asked,
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  type AttemptFailure,
  classifyNetworkError,
  classifyUnexpectedBody,
  readErrorBody,
  readEventStream,
  type StreamEvent,
  showUrl,
  transient,
} from "@massgen/backend-kit";
import type { Clock } from "@massgen/contracts";
import { classifyErrorEvent } from "./classify.js";
import { asJsonObject, isObject, type JsonObject, parseJson, textOf } from "./json.js";
import { type MessageStream, takeEvents, takeStreamEvent } from "./message-stream.js";

export interface ReplyContext {
  readonly asked: Asked;
  readonly attempt: AttemptContext;
  readonly clock: Clock;
}

/** How long a response that has given its stop reason may keep the connection open. */
const AFTER_REASON_MS = 5000;
/** The same after `message_stop`: enough for the connection to end cleanly and be used again. */
const AFTER_STOP_MS = 100;

/**
 * Reads one response to its end. Yields what streams, packet by packet; throws `AttemptError` for an error inside the response and for a
 * response that ended before it said so.
 */
export async function* readReply(
  response: Response,
  stream: MessageStream,
  { asked, attempt, clock }: ReplyContext,
): AsyncGenerator<readonly AttemptEvent[], void, undefined> {
  const contentType = response.headers.get("content-type");
  if (contentType?.includes("html") === true)
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, await readErrorBody(response)));
  const requestId = response.headers.get("request-id") ?? response.headers.get("x-request-id");

  const farewell = new AbortController();
  const leave = (): void => farewell.abort();
  attempt.signal.addEventListener("abort", leave, { once: true });
  let lastSignMs = 0;
  let watching: "nothing" | "reason" | "stop" = "nothing";
  /** Ends the reading once nothing has come for `ms`; itself ends with the reading. */
  async function endWhenQuiet(ms: number): Promise<void> {
    while (clock.monotonic() < lastSignMs + ms) await clock.sleepUntil(lastSignMs + ms, farewell.signal);
    leave();
  }
  const endQuietly = (ms: number): void => void endWhenQuiet(ms).catch(() => {});

  try {
    for await (const events of await openEvents(response, contentType, farewell.signal, asked)) {
      for (const event of events) if (!stream.hasStopped) takeEvent(stream, event, asked, requestId);
      if (stream.alive) {
        attempt.alive();
        lastSignMs = clock.monotonic();
      }
      stream.alive = false;
      yield takeEvents(stream);
      if (stream.hasStopped && watching !== "stop") {
        watching = "stop";
        endQuietly(AFTER_STOP_MS);
      } else if (stream.stopReason !== null && watching === "nothing") {
        watching = "reason";
        endQuietly(AFTER_REASON_MS);
      }
    }
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    // What was promised to come after the last word is not missed.
    if (!isComplete(stream)) throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  } finally {
    attempt.signal.removeEventListener("abort", leave);
    leave();
  }
  if (!isComplete(stream)) throw new AttemptError(whyIncomplete(stream, asked, contentType, response.status));
}

const isComplete = (stream: MessageStream): boolean => stream.hasStopped || stream.stopReason !== null;

function takeEvent(stream: MessageStream, { event, data }: StreamEvent, asked: Asked, requestId: string | null): void {
  const value = parseJson(data);
  if (event === "error" || (isObject(value) && (value["type"] === "error" || isObject(value["error"]))))
    throw new AttemptError(classifyErrorEvent(asked, value ?? data, requestId));
  if (isObject(value)) takeStreamEvent(stream, textOf(value["type"]) || (event ?? ""), value as JsonObject);
}

type Batches = AsyncIterable<readonly StreamEvent[]> | Iterable<readonly StreamEvent[]>;

/** The events of a stream; a server that does not stream gives its whole message as the events it would have streamed. */
async function openEvents(response: Response, contentType: string | null, stop: AbortSignal, asked: Asked): Promise<Batches> {
  if (response.body === null) return [];
  if (contentType?.includes("application/json") !== true) return readEventStream(response.body, stop);
  const text = await response.text();
  const value = parseJson(text);
  // Some gateways put the wrong name on a stream.
  if (!isObject(value)) return readEventStream(new Blob([text]).stream(), stop);
  if (!Array.isArray(value["content"]) && !("error" in value))
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, text));
  return [wholeMessage(value as JsonObject).map((event) => ({ event: undefined, data: JSON.stringify(event) }))];
}

function wholeMessage(message: JsonObject): readonly JsonObject[] {
  if ("error" in message) return [message];
  const blocks = Array.isArray(message["content"]) ? message["content"] : [];
  const { stop_reason = "end_turn", stop_details = null } = message;
  return [
    { type: "message_start", message: { ...message, stop_reason: null } },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: asJsonObject(block) },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_details }, usage: message["usage"] ?? null },
    { type: "message_stop" },
  ];
}

function whyIncomplete(stream: MessageStream, asked: Asked, contentType: string | null, status: number): AttemptFailure {
  if (!stream.hasBegun && contentType?.includes("event-stream") !== true) return classifyUnexpectedBody(asked, status, contentType, "");
  const at = `(model ${asked.model}, at ${showUrl(asked.url)})`;
  if (!stream.hasBegun) return transient(`${asked.vendor} answered with an empty stream ${at}.`);
  return transient(`The stream of ${asked.vendor} broke off before the answer was complete ${at}.`);
}
