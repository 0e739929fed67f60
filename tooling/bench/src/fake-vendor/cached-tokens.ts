import { countTokens } from "@massgen/simulator";
import { longestPrefix } from "./prefix.js";
import type { WireCall } from "./virtual-vendor.js";

/** Vendors do not cache prefixes shorter than this. */
const LEAST_CACHED_TOKENS = 1024;

/** Which earlier requests count: those of the same agent, or those of anybody on the same model. */
export type CacheScope = "agent" | "model";

/** For each call, how many of its input tokens an ideal prompt cache would have had from an earlier request. */
export function cachedTokensOf(calls: readonly WireCall[], scope: CacheScope): readonly number[] {
  return calls.map((call, place) => {
    const earlier = calls.slice(0, place).filter((other) => other[scope] === call[scope]);
    const shared = longestPrefix(
      call.prompt,
      earlier.map((other) => other.prompt),
    );
    const tokens = countTokens(call.prompt.slice(0, shared));
    return tokens < LEAST_CACHED_TOKENS ? 0 : tokens;
  });
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
