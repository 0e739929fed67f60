import type { Delta, RunId } from "@massgen/contracts";
import type { Database } from "./database.js";
import { openListener } from "./listen.js";

/** Called with what passed after the record with the number `after`. */
export type DeltaListener = (deltas: readonly Delta[], after: number) => void;

/** Passes deltas on to whoever watches through another process. What nobody listens to, or a broken connection had, is gone. */
export interface DeltaChannel {
  send(runId: RunId, after: number, deltas: readonly Delta[]): Promise<void>;
  /** Gives what ends it. */
  receive(runId: RunId, listener: DeltaListener): () => void;
  close(): Promise<void>;
}

/** A notice has at most 8,000 bytes; a character in JSON has up to 6. */
const PIECE_CHARS = 1_100;
const NOTICE_BYTES = 7_800;

interface Notice {
  readonly after: number;
  /** PostgreSQL sends equal notices of one transaction only once. */
  readonly n: number;
  readonly deltas: readonly Delta[];
}

export function deltaChannel({ pool, schema, newClient }: Database): DeltaChannel {
  const channel = `${schema}_deltas`;
  const listening = new Map<RunId, Set<DeltaListener>>();
  const listener = openListener(newClient, channel, {
    onNotice(payload) {
      const space = payload.indexOf(" ");
      const those = listening.get(payload.slice(0, space));
      if (those === undefined) return;
      const { deltas, after } = JSON.parse(payload.slice(space + 1)) as Notice;
      for (const one of those) one(deltas, after);
    },
  });
  let sent = 0;

  return {
    async send(runId, after, deltas) {
      const payloads = noticesOf(deltas).map((some) => {
        sent += 1;
        return `${runId} ${JSON.stringify({ after, n: sent, deltas: some } satisfies Notice)}`;
      });
      await pool.query("SELECT pg_notify($1, given.payload) FROM unnest($2::text[]) AS given(payload)", [channel, payloads]);
    },
    receive(runId, one) {
      listener.listen();
      listening.set(runId, (listening.get(runId) ?? new Set()).add(one));
      return () => {
        const those = listening.get(runId);
        if (those?.delete(one) === true && those.size === 0) listening.delete(runId);
      };
    },
    close: listener.close,
  };
}

/** As many of them in each notice as it holds. */
export function noticesOf(deltas: readonly Delta[]): readonly (readonly Delta[])[] {
  const notices: Delta[][] = [];
  let room = 0;
  for (const delta of deltas.flatMap(piecesOf)) {
    const bytes = Buffer.byteLength(JSON.stringify(delta)) + 1;
    // What is too large by itself is a notice with a long message: a screen can do without it.
    if (bytes > NOTICE_BYTES - 200) continue;
    if (bytes > room) {
      notices.push([]);
      room = NOTICE_BYTES - 200;
    }
    notices.at(-1)?.push(delta);
    room -= bytes;
  }
  return notices;
}

function piecesOf(delta: Delta): readonly Delta[] {
  if (delta.type !== "content_delta" && delta.type !== "reasoning_delta") return [delta];
  const { text } = delta;
  const count = Math.max(1, Math.ceil(text.length / PIECE_CHARS));
  return Array.from({ length: count }, (_, place) => ({ ...delta, text: text.slice(place * PIECE_CHARS, (place + 1) * PIECE_CHARS) }));
}
