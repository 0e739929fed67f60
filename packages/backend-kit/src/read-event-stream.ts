import { createParser } from "eventsource-parser";

export interface StreamEvent {
  /** The field `event:`, `undefined` when there was none. */
  readonly event: string | undefined;
  readonly data: string;
}

/** More than any vendor puts into one event; beyond it the stream is broken, not large. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/**
 * Reads bytes as an event stream. Yields the events of one network read together, so that a fast vendor costs one turn of
 * the event loop per packet and not per token. Comments and fields without data yield nothing.
 *
 * Bytes may be cut anywhere, also inside a character; each is looked at once. An event that the end of the stream left
 * without its empty line is handed out as it is: whether it is whole shows when it is parsed.
 *
 * Ends quietly when `stop` aborts; rejects with what the body rejects with. The body is released in every case.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let events: StreamEvent[] = [];
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event, data }) => events.push({ event, data }),
  });
  const release = (): void => {
    reader.cancel().catch(() => {});
  };
  if (stop.aborted) release();
  else stop.addEventListener("abort", release, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      if (events.length > 0) {
        yield events;
        events = [];
      }
      if (done) return;
    }
  } finally {
    stop.removeEventListener("abort", release);
    release();
  }
}
