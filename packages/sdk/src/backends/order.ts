import type { Guard, PriceTable, RateLimiter } from "@massgen/backend-kit";
import { addressOf, type BackendConfig, type Environment, nearModels, providerOf } from "@massgen/config";
import type { Ambient, BackendAdapter, BackendOptions } from "@massgen/contracts";
import type { FindGuard } from "./guards.js";

export interface BackendOrder {
  readonly config: BackendConfig;
  /** `null`: the provider works without one. */
  readonly apiKey: string | null;
  /** Variable the key came from, for the vendor's refusal of it; `null` for a key from the config. */
  readonly keyName: string | null;
  readonly env: Environment;
  /** Of the run. */
  readonly findGuard: FindGuard;
  /** Shared with all who ask the same model; `null` for none. */
  readonly limiter: RateLimiter | null;
  /** Of the user; `null` for the built-in ones. */
  readonly prices: PriceTable | null;
  readonly ambient: Partial<Ambient>;
  /** Absolute folders from which modules are looked up. Default: the folder of the process. */
  readonly modulesFrom?: readonly string[] | undefined;
}

export type CreateBackend = (order: BackendOrder) => BackendAdapter;

/** What adapters of this repository take besides; they are always told a model. */
export interface AdapterOptions extends BackendOptions {
  readonly id: string;
  readonly model: string;
  readonly keyName?: string;
  readonly nearModels: readonly string[];
  readonly vendorName?: string;
  readonly guard?: Guard;
  readonly limiter?: RateLimiter;
  readonly prices?: PriceTable;
}

export function adapterOptions({ config, apiKey, keyName, env, findGuard, limiter, prices, ambient }: BackendOrder): AdapterOptions {
  const provider = providerOf(config.type);
  const baseUrl = config.baseUrl ?? (provider === null ? null : addressOf(provider, env)) ?? undefined;
  const guard = findGuard(config, baseUrl);
  return {
    id: config.type,
    model: config.model ?? "",
    nearModels: config.model === null ? [] : nearModels(config.type, config.model),
    maxRetries: config.maxRetries,
    maxIncompleteResponseRetries: config.maxIncompleteResponseRetries,
    params: { ...plain(config.params), ...(config.extraBody === null ? {} : { extra_body: plain(config.extraBody) }) },
    ...(apiKey === null ? {} : { apiKey }),
    ...(keyName === null ? {} : { keyName }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(config.providerName === null ? {} : { vendorName: config.providerName }),
    ...(config.timeoutSeconds === null ? {} : { timeoutMs: config.timeoutSeconds * 1000 }),
    ...(guard === null ? {} : { guard }),
    ...(limiter === null ? {} : { limiter }),
    ...(prices === null ? {} : { prices }),
    ambient,
  };
}

/** Bills a request to one of several organisations of an account. */
export function organizationHeader({ organization }: BackendConfig): { readonly headers?: Readonly<Record<string, string>> } {
  return organization === null ? {} : { headers: { "OpenAI-Organization": organization } };
}

/** Values that came out of YAML are JSON values; the two types only have different names. */
const plain = (values: BackendConfig["params"]): AdapterOptions["params"] => values as AdapterOptions["params"];
