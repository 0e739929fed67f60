import {
  type AdapterOptions,
  checkedKey,
  defaultRetryLimits,
  listPrices,
  type ModelPrice,
  type PacedAmbient,
  pacedAmbient,
  priceOf,
  type RetryLimits,
  webAmbient,
} from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { type ApiAddress, apiAddress, GOOGLE_ADDRESS } from "./api-address.js";
import { type ModelFacts, modelFacts } from "./model-facts.js";

export interface GeminiOptions extends AdapterOptions {
  /** Provider type. Default `gemini`. */
  readonly id?: string;
  /** Default: Google's own address. The version of the API may stand in it; without one it is `v1beta`. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default `Gemini`. */
  readonly vendorName?: string;
  /** Unknown ones are passed on in camel case. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** Default 3; the parameter `gemini_backoff_max_attempts`, which counts the first request, wins. */
  readonly maxRetries?: number;
}

/** Options with everything decided that does not depend on a request. */
export interface Settings {
  readonly id: string;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly vendor: string;
  readonly address: ApiAddress;
  readonly apiKey: string | null;
  readonly keyName: string | null;
  readonly nearModels: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly price: ModelPrice | null;
  readonly limits: RetryLimits;
  readonly secrets: readonly string[];
  readonly ambient: PacedAmbient;
}

/** @throws MassgenError for an address that is none, a key that fits into no header, and a model the SDK would not put into an address. */
export function resolveSettings(options: GeminiOptions): Settings {
  const { id = "gemini", model, params = {}, headers = {} } = options;
  if (model.trim() === "" || /\.\.|[?&#\s]/.test(model)) {
    throw new MassgenError("CONFIG_INVALID", `The backend "${id}" cannot ask for the model ${JSON.stringify(model)}.`, {
      hint: "Write its name as Google does, for example gemini-3-flash-preview.",
      exitCode: 1,
    });
  }
  const address = apiAddress(options.baseUrl ?? GOOGLE_ADDRESS);
  const apiKey = checkedKey(options.apiKey);
  return {
    id,
    model,
    facts: modelFacts(model),
    vendor: options.vendorName ?? "Gemini",
    address,
    apiKey,
    keyName: options.keyName ?? null,
    nearModels: options.nearModels ?? [],
    headers,
    params,
    price: priceOf(model, options.prices ?? listPrices),
    limits: retryLimits(options, params),
    secrets: [apiKey, address.credentials?.password, ...Object.values(headers)].filter((secret) => typeof secret === "string"),
    ambient: pacedAmbient(webAmbient(options.ambient)),
  };
}

/** Pauses of Gemini grow faster than those of others: its limits are counted by the minute. */
function retryLimits(options: GeminiOptions, params: Readonly<Record<string, JsonValue>>): RetryLimits {
  const number = (name: string, fallback: number): number => {
    const value = params[`gemini_backoff_${name}`];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  const attempts = number("max_attempts", 0);
  return {
    ...defaultRetryLimits,
    maxRetries: attempts >= 1 ? Math.floor(attempts) - 1 : (options.maxRetries ?? defaultRetryLimits.maxRetries),
    maxIncompleteResponseRetries: options.maxIncompleteResponseRetries ?? defaultRetryLimits.maxIncompleteResponseRetries,
    silenceMs: options.timeoutMs ?? defaultRetryLimits.silenceMs,
    backoff: {
      firstMs: number("initial_delay", 2) * 1000,
      factor: number("multiplier", 3),
      longestMs: number("max_delay", 60) * 1000,
      jitter: Math.min(1, number("jitter", 0.2)),
    },
  };
}
