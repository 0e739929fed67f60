/** Reads a stream that may be left at any moment, also while it hangs. */
export interface Interruptible<T> {
  /** The next item, `null` at the end or once interrupted. Rejects when the stream throws. */
  next(): Promise<T | null>;
  interrupt(): void;
  /** Tells the stream that nobody reads on. Not awaited: it may hang. */
  close(): void;
}

/** `open` is called by the first `next`; what it throws counts as thrown by the stream. */
export function interruptible<T>(open: () => AsyncIterable<T>): Interruptible<T> {
  let iterator: AsyncIterator<T> | null = null;
  let isInterrupted = false;
  // One slot, set anew for each item: racing every item against one long-lived promise would pile up reactions on it.
  let release: (() => void) | null = null;

  return {
    next() {
      if (isInterrupted) return Promise.resolve(null);
      return new Promise((resolve, reject) => {
        release = () => resolve(null);
        iterator ??= open()[Symbol.asyncIterator]();
        iterator.next().then((result) => resolve(result.done === true ? null : result.value), reject);
      });
    },
    interrupt() {
      isInterrupted = true;
      release?.();
    },
    close() {
      try {
        iterator?.return?.().then(undefined, () => {});
      } catch {
        // An iterator written by hand may throw at once; it is being left either way.
      }
    },
  };
}
