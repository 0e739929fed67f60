/** What the runtime gives; the one file that reads it, so that everything else can be tested without. */
export const runtimeFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

/** Resolves after `ms`; rejects with the reason of `signal` when that comes first. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = AbortSignal.timeout(ms);
    const stop = (): void => reject(signal?.reason);
    over.addEventListener(
      "abort",
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      { once: true },
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
