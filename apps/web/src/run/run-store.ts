import type { MassgenClient } from "@massgen/client";
import type { EpochMillis } from "@massgen/contracts";
import { emptyLiveView, foldLive, type LiveView } from "@massgen/views";

/** A run as this page has it so far. */
export interface Watched {
  readonly live: LiveView;
  /** `waiting`: the connection broke and will be made again. `over`: the run has ended and all of it is here. */
  readonly connection: "opening" | "open" | "waiting" | "over" | "failed";
  readonly error: unknown;
  /** Ties the clock of the record to the one of this machine. */
  readonly lastFact: { readonly at: EpochMillis; readonly seenMs: number } | null;
}

export interface RunStore {
  readonly subscribe: (changed: () => void) => () => void;
  readonly current: () => Watched;
  readonly close: () => void;
}

/** How long events are gathered before the page is drawn again: five agents write 500 times a second. */
const GATHER_MS = 100;

const UNSEEN: Watched = { live: emptyLiveView, connection: "opening", error: null, lastFact: null };

/** Watches a run from its first fact on. Folds every event as it comes; tells of it a few times a second. */
export function openRunStore(client: MassgenClient, id: string, now: () => number = Date.now): RunStore {
  const closed = new AbortController();
  const listeners = new Set<() => void>();
  let newest = UNSEEN;
  let shown = UNSEEN;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const show = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    shown = newest;
    for (const listener of listeners) listener();
  };
  const change = (part: Partial<Watched>, isUrgent: boolean): void => {
    newest = { ...newest, ...part };
    if (isUrgent) show();
    else timer ??= setTimeout(show, GATHER_MS);
  };

  const watch = async (): Promise<void> => {
    try {
      for await (const event of client.watch(id, {
        signal: closed.signal,
        onReconnect: () => change({ connection: "waiting" }, true),
      })) {
        const live = foldLive(newest.live, event);
        change({ live, connection: "open", ...("seq" in event ? { lastFact: { at: event.at, seenMs: now() } } : {}) }, false);
      }
      change({ connection: "over" }, true);
    } catch (error) {
      if (!closed.signal.aborted) change({ connection: "failed", error }, true);
    }
  };
  void watch();

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    current: () => shown,
    close() {
      closed.abort();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
