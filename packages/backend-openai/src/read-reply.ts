import {
  type Asked,
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  type AttemptFailure,
  classifyNetworkError,
  classifyUnexpectedBody,
  readEventStream,
  type StreamEvent,
  showUrl,
  transient,
} from "@massgen/backend-kit";
import type { Clock } from "@massgen/contracts";
import { classifyResponseError } from "./classify.js";
import { type ClosingContext, closeTurn } from "./close-turn.js";
import { isObject, textOf } from "./json.js";
import { type ResponseStream, takeEvent, takeEvents } from "./response-stream.js";

export interface ReplyContext extends ClosingContext {
  readonly asked: Asked;
  readonly attempt: AttemptContext;
  readonly clock: Clock;
}

/** How long a response that is over may keep the connection: enough for it to end cleanly and be used again. */
const AFTER_END_MS = 100;

/**
 * Reads one response to its end. Yields what streams, then the calls and `turn_end`; throws `AttemptError` for an error
 * inside the response and for a response that ended before it said so.
 */
export async function* readReply(
  response: Response,
  stream: ResponseStream,
  context: ReplyContext,
): AsyncGenerator<AttemptEvent, void, undefined> {
  const { asked, attempt, clock } = context;
  const contentType = response.headers.get("content-type");
  if (contentType?.includes("html") === true)
    throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, await response.text()));

  const farewell = new AbortController();
  attempt.signal.addEventListener("abort", () => farewell.abort(), { once: true });
  let hasEnded = false;
  const endSoon = (): void => {
    hasEnded = true;
    const end = clock.sleepUntil(clock.monotonic() + AFTER_END_MS, attempt.signal);
    end.then(
      () => farewell.abort(),
      () => {},
    );
  };
  try {
    for await (const events of await openEvents(response, contentType, farewell.signal, asked)) {
      for (const event of events) if (stream.ending === null) takeStreamEvent(stream, event, asked);
      if (stream.alive) attempt.alive();
      stream.alive = false;
      for (const event of takeEvents(stream)) yield event;
      if (stream.ending !== null && !hasEnded) endSoon();
    }
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    // What comes after the last word is not missed.
    if (stream.ending === null) throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  }
  if (stream.ending === null) throw new AttemptError(brokenOff(stream, asked, contentType, response.status));
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
  // A whole response has an error too, and mostly it is null.
  if (Array.isArray(value["output"]) || isObject(value["error"])) return [[{ event: undefined, data: wholeEvent(value, text) }]];
  throw new AttemptError(classifyUnexpectedBody(asked, response.status, contentType, text));
}

function wholeEvent(value: { readonly [key: string]: unknown }, text: string): string {
  if (!Array.isArray(value["output"])) return text;
  const status = textOf(value["status"]) || "completed";
  return JSON.stringify({ type: `response.${status}`, response: value });
}

function takeStreamEvent(stream: ResponseStream, { event, data }: StreamEvent, asked: Asked): void {
  const value = parse(data);
  if (!isObject(value)) {
    if (event === "error") throw new AttemptError(classifyResponseError(asked, data));
    return;
  }
  const type = textOf(value["type"]) || (event ?? "");
  if (type === "response.failed" || type === "response.cancelled") throw new AttemptError(failureOf(value, type, asked));
  // An error comes as an event of its own, as one of the vendor behind a gateway, or as nothing but an error.
  if (type === "error" || isObject(value["error"])) throw new AttemptError(classifyResponseError(asked, value["error"] ?? value));
  takeEvent(stream, value["type"] === undefined ? { ...value, type } : value);
}

function failureOf({ response }: { readonly [key: string]: unknown }, type: string, asked: Asked): AttemptFailure {
  const error = isObject(response) ? response["error"] : null;
  return isObject(error)
    ? classifyResponseError(asked, error)
    : transient(`${asked.vendor} gave up on its answer (${type}, model ${asked.model}).`);
}

function brokenOff({ seen }: ResponseStream, asked: Asked, contentType: string | null, status: number): AttemptFailure {
  if (seen === 0 && contentType?.includes("event-stream") !== true) return classifyUnexpectedBody(asked, status, contentType, "");
  const at = `(model ${asked.model}, at ${showUrl(asked.url)})`;
  if (seen === 0) return transient(`${asked.vendor} answered with an empty stream ${at}.`);
  return transient(
    `The stream of ${asked.vendor} broke off after ${seen} ${seen === 1 ? "event" : "events"}, before the answer was complete ${at}.`,
  );
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return null;
  }
}
