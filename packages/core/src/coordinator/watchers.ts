import type { Delta, Recorded, RunEvent } from "@massgen/contracts";

/** Deltas kept for a watcher that is behind; beyond this the oldest are dropped. Facts never are. */
const MAX_DELTAS = 1024;
/** A merged delta grows no further than this, so that the memory of a slow watcher is bounded (about 16 MiB). */
const MAX_MERGED_CHARS = 8192;

/** Everybody who watches a run. Watching never slows it: each watcher reads the facts by a cursor of its own. */
export interface Watchers {
  /** A watcher that gets all facts from the first on, and the deltas that pass from now on. */
  watch(): AsyncIterator<RunEvent>;
  /** There are new records. */
  facts(): void;
  delta(delta: Delta): void;
  /** The run is over: watchers read to the end and stop, or then throw `error`. */
  close(error: unknown): void;
}

export function createWatchers(records: readonly Recorded[]): Watchers {
  const watching = new Set<Watcher>();
  let end: { readonly error: unknown } | null = null;
  return {
    watch() {
      const watcher = createWatcher(records, () => watching.delete(watcher));
      watching.add(watcher);
      watcher.facts();
      if (end !== null) watcher.close(end.error);
      return watcher.iterator;
    },
    facts() {
      for (const watcher of watching) watcher.facts();
    },
    delta(delta) {
      for (const watcher of watching) watcher.delta(delta);
    },
    close(error) {
      end = { error };
      for (const watcher of watching) watcher.close(error);
    },
  };
}

interface Watcher {
  readonly iterator: AsyncIterator<RunEvent>;
  facts(): void;
  delta(delta: Delta): void;
  close(error: unknown): void;
}

/** What lies between a watcher and the run: deltas, and places up to which it may read the records. */
type Item = { readonly is: "facts"; upTo: number } | { readonly is: "delta"; delta: Delta };

function createWatcher(records: readonly Recorded[], left: () => void): Watcher {
  let items: Item[] = [];
  let deltas = 0;
  let cursor = 0;
  let end: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;

  function push(item: Item): void {
    items.push(item);
    wake?.();
  }

  function next(): RunEvent | null {
    for (let item = items[0]; item !== undefined; item = items[0]) {
      if (item.is === "facts") {
        if (cursor < item.upTo) return records[cursor++] ?? null;
        items.shift();
        continue;
      }
      items.shift();
      deltas -= 1;
      return item.delta;
    }
    return null;
  }

  function facts(): void {
    const last = items.at(-1);
    if (last?.is === "facts") last.upTo = records.length;
    else push({ is: "facts", upTo: records.length });
  }

  function delta(delta: Delta): void {
    if (end !== null || merge(items, delta)) return;
    deltas += 1;
    push({ is: "delta", delta });
    if (deltas <= MAX_DELTAS) return;
    items.splice(
      items.findIndex((item) => item.is === "delta"),
      1,
    );
    deltas -= 1;
  }

  async function take(): Promise<IteratorResult<RunEvent>> {
    for (;;) {
      const event = next();
      if (event !== null) return { done: false, value: event };
      if (end !== null) {
        left();
        const { error } = end;
        end = { error: null };
        if (error !== null) throw error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => (wake = resolve));
      wake = null;
    }
  }

  function close(error: unknown): void {
    end ??= { error };
    wake?.();
  }

  // Calls of `next` that overlap are answered one after another, as a generator would.
  let previous: Promise<unknown> = Promise.resolve();
  return {
    facts,
    delta,
    close,
    iterator: {
      next() {
        const taken = previous.then(take, take);
        previous = taken.catch(() => {});
        return taken;
      },
      return() {
        items = [];
        deltas = 0;
        cursor = records.length;
        close(null);
        left();
        return Promise.resolve({ done: true, value: undefined });
      },
    },
  };
}

/** Joins a text to the newest item of its agent, if that is a piece of the same text and no fact has passed since. */
function merge(items: readonly Item[], delta: Delta): boolean {
  if (delta.type !== "content_delta" && delta.type !== "reasoning_delta") return false;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]!;
    if (item.is === "facts") return false;
    const waiting = item.delta;
    if (!("agent" in waiting) || waiting.agent !== delta.agent) continue;
    const joins = waiting.type === delta.type && waiting.channel === delta.channel && waiting.text.length < MAX_MERGED_CHARS;
    if (joins) item.delta = { ...waiting, text: waiting.text + delta.text };
    return joins;
  }
  return false;
}
