import type { Clock, EpochMillis, MonotonicMillis } from "@massgen/contracts";
import { takeTurns } from "./macrotask.js";

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** Sleepers that have not fired, in the order in which they will. */
  sleepers(): readonly MonotonicMillis[];
  /**
   * Moves `ms` forward, stopping at every sleeper on the way. What a sleeper starts when it wakes is finished, as far as
   * it needs no time of its own, before the next one fires.
   */
  advance(ms: number): Promise<void>;
  /** Jumps to the next sleeper and wakes that one only; false when nobody sleeps. */
  fireNext(): boolean;
  /** Resolves when everything that can go on without time passing has done so. */
  settle(): Promise<void>;
  /**
   * Keeps virtual time still while real work runs (a file, an import, a socket), which the clock cannot see:
   * `await clock.hold(store.append(…))`. Gives the promise back.
   */
  hold<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly at: MonotonicMillis;
  readonly order: number;
  wake(): void;
}

/** Midnight of 1 January 2026, UTC. */
const DEFAULT_START: EpochMillis = Date.UTC(2026, 0, 1);

/** Turns of the event loop after which memory-only work counts as done; code that yields by a real 0 ms timer needs two. */
const SETTLE_TURNS = 3;

/** `startAt` is what `now()` says first; `monotonic()` begins at 0, so that a mix-up of the two shows. */
export function virtualClock(startAt: EpochMillis = DEFAULT_START): VirtualClock {
  let elapsedMs = 0;
  let registered = 0;
  let queue: readonly Sleeper[] = [];
  const held = new Set<Promise<unknown>>();

  function fireNext(): boolean {
    const [next, ...rest] = queue;
    if (next === undefined) return false;
    queue = rest;
    elapsedMs = Math.max(elapsedMs, next.at);
    next.wake();
    return true;
  }

  async function settle(): Promise<void> {
    await takeTurns(SETTLE_TURNS);
    while (held.size > 0) {
      await Promise.allSettled(held);
      await takeTurns(SETTLE_TURNS);
    }
  }

  return {
    now: () => startAt + elapsedMs,
    monotonic: () => elapsedMs,
    sleepers: () => queue.map((sleeper) => sleeper.at),
    fireNext,
    settle,
    sleepUntil(at, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (at <= elapsedMs) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const sleeper: Sleeper = {
          at,
          order: registered++,
          wake() {
            signal.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        const onAbort = (): void => {
          queue = queue.filter((other) => other !== sleeper);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        queue = insert(queue, sleeper);
      });
    },
    async advance(ms) {
      const until = elapsedMs + ms;
      await settle();
      while (queue[0] !== undefined && queue[0].at <= until) {
        fireNext();
        await settle();
      }
      elapsedMs = Math.max(elapsedMs, until);
    },
    hold(work) {
      held.add(work);
      const release = (): void => {
        held.delete(work);
      };
      work.then(release, release);
      return work;
    },
  };
}

/** Sorted by time; of the same time, who came first fires first. */
function insert(queue: readonly Sleeper[], sleeper: Sleeper): readonly Sleeper[] {
  const index = queue.findIndex((other) => other.at > sleeper.at);
  return index === -1 ? [...queue, sleeper] : queue.toSpliced(index, 0, sleeper);
}
