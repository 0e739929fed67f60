import { isFor } from "./check-keys.js";
import type { BackendConfig, CircuitBreakerConfig } from "./config.js";
import { isForeignToBackend } from "./key-homes.js";
import { backendKeys } from "./keys/backend.js";
import { providerOf } from "./providers/catalogue.js";
import { keyReader, readText } from "./read-key.js";
import { type ConfigNode, type MapNode, type PlainValue, toRecord, toValue } from "./tree.js";

/** Retries besides the first attempt, and for streams cut in the middle. */
const DEFAULT_RETRIES = { failed: 3, cut: 2 } as const;

export function buildBackend(map: MapNode): BackendConfig {
  const read = keyReader(map, backendKeys.keys);
  const type = read("type") ?? "";
  const provider = providerOf(type);
  const extra = map.entries.get("extra_body");
  const port = type === "lmstudio" ? read("port") : undefined;
  return {
    type,
    model: blankToNull(read("model")) ?? blankToNull(read("deployment_name")) ?? provider?.defaultModel ?? null,
    apiKey: blankToNull(read("api_key")),
    baseUrl: blankToNull(read("base_url")) ?? (port === undefined ? null : `http://localhost:${port}/v1`),
    maxTokens: read("max_tokens") ?? null,
    timeoutSeconds: read("timeout") ?? null,
    maxRetries: read("max_retries") ?? DEFAULT_RETRIES.failed,
    maxIncompleteResponseRetries: read("max_incomplete_response_retries") ?? DEFAULT_RETRIES.cut,
    circuitBreaker: read("llm_circuit_breaker_enabled") === true ? circuitBreaker(map) : null,
    rateLimited: read("enable_rate_limit") === true,
    extraBody: extra?.kind === "map" ? toRecord(extra.entries, toValue) : null,
    providerName: read("provider_name") ?? readText(map, "provider"),
    organization: read("organization") ?? null,
    apiVersion: read("api_version") ?? null,
    deploymentName: read("deployment_name") ?? null,
    params: paramsOf(map),
  };
}

function circuitBreaker(map: MapNode): CircuitBreakerConfig {
  const read = keyReader(map, backendKeys.keys);
  return {
    maxFailures: read("llm_circuit_breaker_max_failures") ?? 5,
    resetTimeSeconds: read("llm_circuit_breaker_reset_time_seconds") ?? 60,
    backoffMultiplier: read("llm_circuit_breaker_backoff_multiplier") ?? 2,
    maxBackoffSeconds: read("llm_circuit_breaker_max_backoff_seconds") ?? 300,
    retryAfterThresholdSeconds: read("llm_circuit_breaker_retry_after_threshold_seconds") ?? 120,
    retryableStatusCodes: read("llm_circuit_breaker_retryable_status_codes") ?? [500, 502, 503, 529],
  };
}

const blankToNull = (text: string | undefined): string | null => (text === undefined || text.trim() === "" ? null : text.trim());

/** What is handed to the vendor: keys nobody here knows, and known ones of that kind. */
function paramsOf(map: MapNode): { readonly [key: string]: PlainValue } {
  return toRecord(
    [...map.entries].filter(([key, node]) => isParam(key, node, map)),
    toValue,
  );
}

function isParam(key: string, node: ConfigNode, map: MapNode): boolean {
  if (node.kind === "scalar" && node.value === null) return false;
  if (key.startsWith("_")) return false;
  // A name is for the screen; a map is OpenRouter's routing, which is sent.
  if (key === "provider") return node.kind === "map";
  const spec = Object.hasOwn(backendKeys.keys, key) ? backendKeys.keys[key as keyof typeof backendKeys.keys] : undefined;
  if (spec === undefined) return !isForeignToBackend(key);
  return spec.support.is === "param" && isFor(spec, backendKeys, map);
}
