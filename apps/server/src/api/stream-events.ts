import type { RunEvent } from "@massgen/contracts";
import type { FastifyReply } from "fastify";
import { hangUpSignal } from "../hang-up.js";
import type { RunEntry } from "../runs/run-entry.js";
import { openSse } from "../sse.js";

/** Serialised once, whoever watches. */
const texts = new WeakMap<RunEvent, string>();

/** The events of a run as a stream: `record` with its number as id, `delta` without one, `end` when there will be no more. */
export async function streamEvents(
  reply: FastifyReply,
  entry: RunEntry,
  after: number,
  factsOnly: boolean,
  stopping: AbortSignal,
): Promise<void> {
  reply.hijack();
  const gone = hangUpSignal(reply.raw, stopping);
  const sse = openSse(reply.raw);
  try {
    for await (const event of entry.events(after, gone.signal, factsOnly)) {
      if (gone.signal.aborted) return;
      const isFact = "seq" in event;
      if (!isFact && factsOnly) continue;
      await sse.send({ ...(isFact ? { id: event.seq, event: "record" } : { event: "delta" }), data: textOf(event) });
    }
    if (!gone.signal.aborted) await sse.send({ event: "end", data: "{}" });
  } catch (error) {
    // The run broke, or its log is damaged: who watches is told where it ends, not that it is complete.
    reply.log.error({ err: error }, "a stream of events broke");
  } finally {
    gone.release();
    sse.end();
  }
}

function textOf(event: RunEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
