import { openRateLimiter, type RateLimiter } from "@massgen/backend-kit";
import { type BackendConfig, type RateLimitTable, rateLimitsOf } from "@massgen/config";
import { openRateState } from "./rate-state.js";

/** The rate limiter of a backend; `null` when it has none. */
export type FindLimiter = (config: BackendConfig) => Promise<RateLimiter | null>;

export interface RateLimitSettings {
  readonly table: RateLimitTable;
  /** Where requests of limited days are written down for the next process; `null`: nowhere. */
  readonly stateFile: string | null;
}

/** Of the process: a vendor counts what all runs in it ask. Other limits for a model begin a count of their own. */
const limiters = new Map<string, Promise<RateLimiter>>();

export function openLimiters({ table, stateFile }: RateLimitSettings): FindLimiter {
  return async ({ type, model, rateLimited }) => {
    const limits = rateLimited ? rateLimitsOf(table, type, model) : null;
    if (limits === null) return null;
    const key = JSON.stringify([stateFile, type, model, limits.rpm, limits.tpm, limits.rpd]);
    const open = async (): Promise<RateLimiter> => {
      if (stateFile === null || limits.rpd === undefined) return openRateLimiter(limits);
      return openRateLimiter(limits, await openRateState(stateFile, `${type}/${model ?? "default"}`));
    };
    const limiter = limiters.get(key) ?? open();
    limiters.set(key, limiter);
    return limiter;
  };
}
