import {
  type BaseUrl,
  checkedKey,
  type Guard,
  listPrices,
  type ModelPrice,
  type PacedAmbient,
  type PriceTable,
  pacedAmbient,
  priceOf,
  tidyBaseUrl,
  webAmbient,
} from "@massgen/backend-kit";
import type { Ambient, JsonValue } from "@massgen/contracts";
import { type ModelTraits, modelTraits } from "./models.js";

export interface AnthropicOptions {
  /** Provider type, as events and logs name it. Default `claude`. */
  readonly id?: string;
  readonly model: string;
  /** Never logged, never shown. */
  readonly apiKey?: string;
  /** Name of the variable the key came from, for the message when the vendor refuses it. */
  readonly keyName?: string;
  /** Known models with names near this one, for the message when the vendor does not know it. */
  readonly nearModels?: readonly string[];
  /** Default: `https://api.anthropic.com`. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default `Anthropic`. */
  readonly vendorName?: string;
  /** Fields for the request body, as the user wrote them; some are renamed (docs/spec/backends.md 11.1), unknown ones are passed on. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** Sent with every request; their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests besides the first that may fail before a stream opened. Default 3. */
  readonly maxRetries?: number;
  /** Streams besides the first that may break off. Default 2. */
  readonly maxIncompleteResponseRetries?: number;
  /** Milliseconds in which some content must arrive; pings and comments do not count. Default 240 000. */
  readonly timeoutMs?: number;
  /** The circuit breaker shared with others who ask the same vendor. Default: none. */
  readonly guard?: Guard;
  /** Tokens the model can read; `null` when unknown. Default: what is known of the model. */
  readonly contextWindowTokens?: number | null;
  readonly prices?: PriceTable;
  /** Clock, randomness, ids and `fetch`. Default: those of the runtime. */
  readonly ambient?: Partial<Ambient>;
}

/** Options with everything decided that does not depend on a request. */
export interface Settings {
  readonly id: string;
  readonly model: string;
  readonly traits: ModelTraits;
  readonly vendor: string;
  readonly address: BaseUrl;
  /** `null`: no key is sent. */
  readonly apiKey: string | null;
  readonly keyName: string | null;
  readonly nearModels: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly price: ModelPrice | null;
  readonly secrets: readonly string[];
  readonly ambient: PacedAmbient;
}

const OWN_ADDRESS = "https://api.anthropic.com";

/** @throws MassgenError for an address that is none, and a key that fits into no header. */
export function resolveSettings(options: AnthropicOptions): Settings {
  const { id = "claude", model, params = {}, headers = {} } = options;
  const address = tidyAddress(options.baseUrl ?? OWN_ADDRESS);
  const apiKey = checkedKey(options.apiKey);
  return {
    id,
    model,
    traits: modelTraits(model),
    vendor: options.vendorName ?? "Anthropic",
    address,
    apiKey,
    keyName: options.keyName ?? null,
    nearModels: options.nearModels ?? [],
    headers,
    params,
    price: priceOf(model, options.prices ?? listPrices),
    secrets: [apiKey, address.credentials?.password, ...Object.values(headers)].filter((secret) => typeof secret === "string"),
    ambient: pacedAmbient(webAmbient(options.ambient)),
  };
}

/** The SDK adds `/v1/messages` itself; people write addresses that end in all of it, in `/v1`, or in neither. */
function tidyAddress(text: string): BaseUrl {
  const whole = tidyBaseUrl(text, { apiPath: "/v1/messages", defaultPath: "" });
  return { ...whole, href: tidyBaseUrl(whole.href, { apiPath: "/v1", defaultPath: "" }).href };
}
