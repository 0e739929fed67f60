import type { Ambient } from "@massgen/contracts";

/**
 * Time, chance, ids and `fetch` of the runtime, for those who use an adapter by itself. The only place of the adapters
 * that touches them: a run passes its own `Ambient` down.
 */
export function webAmbient(overrides: Partial<Ambient> = {}): Ambient {
  return {
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      async sleepUntil(at, signal) {
        // Timers may fire a fraction of a millisecond early; a moment that was promised is not before.
        for (let leftMs = at - performance.now(); leftMs > 0; leftMs = at - performance.now()) await sleep(Math.ceil(leftMs), signal);
        signal.throwIfAborted();
      },
    },
    ids: { next: (kind) => `${kind}_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}` },
    random: Math.random,
    // Looked up at each call, so that a `fetch` replaced later counts; unbound, as browsers demand.
    fetch: (input, init) => globalThis.fetch(input, init),
    ...overrides,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
