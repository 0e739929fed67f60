import type { Delta, Recorded, RunEvent } from "@massgen/contracts";
import { createParser } from "eventsource-parser";
import { pause as systemPause } from "./web-edge.js";

export interface WatchOptions {
  /** Number of the last record that is known already; 0, the default, gives all. */
  readonly after?: number;
  /** Leaves out what passes and is not kept. Default false. */
  readonly factsOnly?: boolean;
  readonly signal?: AbortSignal;
  /** Told when the connection broke and is made again, with the time until then in milliseconds. */
  readonly onReconnect?: (waitMs: number) => void;
}

/** Opens the stream after a record. Rejects with an error that has `final` when asking again makes no sense. */
export type OpenStream = (after: number, signal: AbortSignal | undefined) => Promise<ReadableStream<Uint8Array>>;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;

/**
 * The events of a run up to its end. Every record comes once and in order, whatever happens to the connection: it is made
 * again from the last record that came. What passes besides (texts as they are written) may be missing after that.
 */
export async function* watchStream(
  open: OpenStream,
  { after = 0, signal, onReconnect }: WatchOptions,
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void> = systemPause,
): AsyncGenerator<RunEvent> {
  let last = after;
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    try {
      for await (const event of eventsOf(await open(last, signal))) {
        if (event === "end") return;
        waitMs = FIRST_WAIT_MS;
        if (!("seq" in event)) yield event;
        else if (event.seq > last) {
          last = event.seq;
          yield event;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
    }
    signal?.throwIfAborted();
    onReconnect?.(waitMs);
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

const isFinal = (error: unknown): boolean => typeof error === "object" && error !== null && "final" in error && error.final === true;

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent | "end"> {
  const ready: (RunEvent | "end")[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "end") ready.push("end");
      else if (event === "record" || event === "delta") ready.push(JSON.parse(data) as Recorded | Delta);
    },
  });
  // Not through a TextDecoderStream: a second stream costs a browser more than all the rest of reading (web.stream).
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
