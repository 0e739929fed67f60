import type { Delta } from "@massgen/contracts";
import type { RunningRun } from "@massgen/sdk";

/** What passes is gathered for so long. */
const GATHER_MS = 150;
/** A watcher says so every half minute. */
const WATCHED_MS = 75_000;

export interface DeltaRelay {
  /** Somebody wants the deltas, for a while. */
  watched(): void;
  /** Sends what has passed so far. Never rejects. */
  flush(): Promise<void>;
  /** Resolves when the run is over. Never rejects. */
  readonly done: Promise<void>;
}

/** Passes the deltas of a run on while somebody watches, gathered, so that a fast model costs few messages. */
export function relayDeltas(
  running: RunningRun,
  {
    send,
    redact,
  }: { readonly send: (after: number, deltas: readonly Delta[]) => Promise<void>; readonly redact: (text: string) => string },
): DeltaRelay {
  let watchedUntil = 0;
  let pending: Delta[] = [];
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const deltas = JSON.parse(redact(JSON.stringify(pending))) as readonly Delta[];
    pending = [];
    // Facts tell what matters, and the store says when the database is away.
    await send(last, deltas).catch(() => {});
  }

  async function follow(): Promise<void> {
    try {
      for await (const event of running) {
        if ("seq" in event) {
          void flush();
          last = event.seq;
        } else if (Date.now() < watchedUntil) {
          add(pending, event);
          timer ??= setTimeout(() => void flush(), GATHER_MS);
        }
      }
    } catch {
      // Whoever waits for the run gets this error.
    } finally {
      await flush();
    }
  }

  return {
    watched() {
      watchedUntil = Date.now() + WATCHED_MS;
    },
    flush,
    done: follow(),
  };
}

/** Texts of one conversation that follow each other are one. */
function add(pending: Delta[], delta: Delta): void {
  const place = "agent" in delta ? pending.findLastIndex((one) => "agent" in one && one.agent === delta.agent) : -1;
  const before = pending[place];
  if (
    before !== undefined &&
    (delta.type === "content_delta" || delta.type === "reasoning_delta") &&
    before.type === delta.type &&
    before.channel === delta.channel
  )
    pending[place] = { ...before, text: before.text + delta.text };
  else pending.push(delta);
}
