import type { Ambient, IdGenerator, Random } from "@massgen/contracts";
import { type VirtualClock, virtualClock } from "./virtual-clock.js";

/** The same numbers in [0, 1) for the same seed, on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `call_000001`, `call_000002`, …, counted per kind; runs are `20260101_000000_000001`, sessions `session_20260101_000000`, `…_2`. */
export function countingIds(): IdGenerator {
  const counts = new Map<string, number>();
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const digits = String(count).padStart(6, "0");
      if (kind === "run") return `20260101_000000_${digits}`;
      if (kind === "session") return count === 1 ? "session_20260101_000000" : `session_20260101_000000_${count}`;
      return `${kind}_${digits}`;
    },
  };
}

export interface TestAmbientOptions {
  readonly clock?: VirtualClock;
  readonly seed?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface TestAmbient extends Ambient {
  readonly clock: VirtualClock;
}

/** An ambient in which nothing is left to chance. Without `fetch`, every request rejects: a test that needs none makes none. */
export function testAmbient(options: TestAmbientOptions = {}): TestAmbient {
  return {
    clock: options.clock ?? virtualClock(),
    ids: countingIds(),
    random: seededRandom(options.seed ?? 1),
    fetch: options.fetch ?? ((input) => Promise.reject(new Error(`This test has no network; it asked for ${addressOf(input)}.`))),
  };
}

function addressOf(input: Parameters<typeof globalThis.fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}
