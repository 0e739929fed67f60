import type { EpochMillis, MonotonicMillis } from "@massgen/contracts";

/** What one model of one provider may be asked; what is absent has no limit. */
export interface RateLimits {
  /** Requests in 60 s. */
  readonly rpm?: number;
  /** Tokens, of input and output together, in 60 s. */
  readonly tpm?: number;
  /** Requests in 86 400 s. */
  readonly rpd?: number;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

interface RateEntry {
  readonly id: number;
  readonly at: MonotonicMillis;
  /** Estimated until the request was settled. */
  readonly tokens: number;
}

export interface RateState {
  /** Of the last day, oldest first. */
  readonly entries: readonly RateEntry[];
  readonly nextId: number;
}

export const noRequests: RateState = { entries: [], nextId: 1 };

/** When a request with so many tokens may be made, in milliseconds from now. `exhausted`: the limit of the day is why. */
export interface RateWait {
  readonly waitMs: number;
  readonly exhausted: boolean;
}

/** An entry leaves a window at the very end of it: what began at 0 no longer counts at 60 000. */
export function rateWait({ entries }: RateState, { rpm, tpm, rpd }: RateLimits, tokens: number, now: MonotonicMillis): RateWait {
  const day = entries.filter(({ at }) => now - at < DAY_MS);
  if (rpd !== undefined && day.length >= rpd) return { waitMs: until(day[day.length - rpd], DAY_MS, now), exhausted: true };
  const minute = day.filter(({ at }) => now - at < MINUTE_MS);
  const byRequests = rpm !== undefined && minute.length >= rpm ? until(minute[minute.length - rpm], MINUTE_MS, now) : 0;
  const byTokens = tpm === undefined ? 0 : tokenWaitMs(minute, tpm, tokens, now);
  return { waitMs: Math.max(byRequests, byTokens), exhausted: false };
}

/** What is larger than the whole limit waits for an empty window; the vendor then says what it thinks of it. */
function tokenWaitMs(minute: readonly RateEntry[], tpm: number, tokens: number, now: MonotonicMillis): number {
  let sum = minute.reduce((total, entry) => total + entry.tokens, 0);
  let waitMs = 0;
  for (const entry of minute) {
    if (sum + tokens <= tpm) break;
    sum -= entry.tokens;
    waitMs = until(entry, MINUTE_MS, now);
  }
  return waitMs;
}

function until(entry: RateEntry | undefined, windowMs: number, now: MonotonicMillis): number {
  return entry === undefined ? 0 : entry.at + windowMs - now;
}

/** The state with one request more, made now; its id is the `nextId` before. What no window holds any more is dropped. */
export function enter({ entries, nextId }: RateState, tokens: number, now: MonotonicMillis): RateState {
  return { entries: [...entries.filter(({ at }) => now - at < DAY_MS), { id: nextId, at: now, tokens }], nextId: nextId + 1 };
}

/** The state with the real number in place of the estimate; unchanged when the entry is gone. */
export function settle(state: RateState, id: number, tokens: number): RateState {
  return { ...state, entries: state.entries.map((entry) => (entry.id === id ? { ...entry, tokens } : entry)) };
}

/** The state with requests made before it, by the clock on the wall; how many tokens they had is not known. */
export function enterEarlier(state: RateState, earlier: readonly EpochMillis[], wall: EpochMillis, now: MonotonicMillis): RateState {
  const ages = earlier.map((at) => wall - at).filter((ageMs) => ageMs >= 0 && ageMs < DAY_MS);
  const entries = ages.sort((a, b) => b - a).map((ageMs, index) => ({ id: state.nextId + index, at: now - ageMs, tokens: 0 }));
  return { entries: [...entries, ...state.entries], nextId: state.nextId + entries.length };
}
