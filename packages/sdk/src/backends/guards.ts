import { type Circuit, type Guard, openCircuit } from "@massgen/backend-kit";
import type { BackendConfig, CircuitBreakerConfig } from "@massgen/config";

/** The circuit breaker of a backend at an address (`undefined`: the vendor's own); `null` when it has none. */
export type FindGuard = (config: BackendConfig, baseUrl: string | undefined) => Guard | null;

/** The circuit breakers of one run: agents of one provider type and address share what is known of it, each by rules of its own. */
export function openGuards(): FindGuard {
  const circuits = new Map<string, Circuit>();
  return ({ type, circuitBreaker }, baseUrl = "") => {
    if (circuitBreaker === null) return null;
    const place = `${type} ${baseUrl.replace(/\/+$/, "")}`;
    const circuit = circuits.get(place) ?? openCircuit();
    circuits.set(place, circuit);
    return { circuit, rules: rulesOf(circuitBreaker) };
  };
}

function rulesOf(config: CircuitBreakerConfig): Guard["rules"] {
  return {
    maxFailures: config.maxFailures,
    resetMs: config.resetTimeSeconds * 1000,
    backoffMultiplier: config.backoffMultiplier,
    maxBackoffMs: config.maxBackoffSeconds * 1000,
    retryAfterThresholdMs: config.retryAfterThresholdSeconds * 1000,
    countedStatuses: config.retryableStatusCodes,
  };
}
