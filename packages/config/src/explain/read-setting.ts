import type { MassgenConfig } from "../config.js";

/**
 * What the normalised config has for a key of the language: `timeout_settings.orchestrator_timeout_seconds`,
 * `agents[0].backend.max_retries`. `undefined` where it keeps no such value.
 */
export function readSetting(config: MassgenConfig, path: string): unknown {
  let at: unknown = config;
  for (const step of path.split(/\.|(?=\[)/)) {
    if (at === null || typeof at !== "object") return undefined;
    const index = /^\[(\d+)\]$/.exec(step);
    if (index !== null) at = Array.isArray(at) ? at[Number(index[1])] : undefined;
    // What stands in `coordination` is kept with the rest of the orchestrator.
    else if (step !== "coordination" || "coordination" in at) at = settingNamed(at, step);
  }
  return at;
}

const BREAKER = "llm_circuit_breaker_";
const RENAMED: Readonly<Record<string, string>> = {
  timeout_settings: "timeouts",
  timeout: "timeoutSeconds",
  enable_rate_limit: "rateLimited",
};

function settingNamed(map: object, key: string): unknown {
  if (key.startsWith(BREAKER) && "circuitBreaker" in map) {
    if (key === `${BREAKER}enabled`) return map.circuitBreaker !== null;
    return own(map.circuitBreaker, camel(key.slice(BREAKER.length)));
  }
  const name = [RENAMED[key], camel(key)].find((candidate) => candidate !== undefined && Object.hasOwn(map, candidate));
  return name === undefined ? own("params" in map ? map.params : null, key) : own(map, name);
}

const own = (map: unknown, key: string): unknown =>
  typeof map === "object" && map !== null && Object.hasOwn(map, key) ? (map as Readonly<Record<string, unknown>>)[key] : undefined;

const camel = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
