import type { Ambient, Clock, EpochMillis, IdGenerator } from "@massgen/contracts";
import { seededRandom } from "./seeded-random.js";

/** Longest single timer of JavaScript runtimes; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Time, ids, chance and network of this machine: the one place of this package that touches them. Without `seed` the
 * random numbers differ from run to run.
 */
export function systemAmbient(options: { readonly seed?: number } = {}): Ambient {
  const seed = options.seed ?? systemSeed();
  return { clock: systemClock, ids: systemIds(), random: seededRandom(seed), fetch: (input, init) => globalThis.fetch(input, init) };
}

/** A seed nobody can guess: 32 bits of the platform's own randomness. */
export function systemSeed(): number {
  return globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleepUntil(at, signal) {
    for (let left = at - performance.now(); left > 0; left = at - performance.now()) await sleep(Math.min(left, MAX_TIMER_MS), signal);
    signal.throwIfAborted();
  },
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, Math.ceil(ms));
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Runs and sessions by local time, because people read them in lists; the others by a random stem and a count. */
function systemIds(): IdGenerator {
  const stem = letters(4);
  let count = 0;
  return {
    next(kind) {
      if (kind === "run") return `${timestamp(Date.now())}_${letters(6)}`;
      if (kind === "session") return `session_${timestamp(Date.now())}`;
      count += 1;
      return `${kind}_${stem}${count.toString(36).padStart(3, "0")}`;
    },
  };
}

const letters = (length: number): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(length)), (byte) => BASE_32[byte % 32]).join("");

/** `20260301_140509`, local time. */
function timestamp(at: EpochMillis): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}_${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}
