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
import { MassgenError } from "@massgen/contracts";
import { type Vendor, vendors } from "./vendors.js";

export interface OpenAIOptions {
  /** Provider type, one of `vendors`. Default `openai`. */
  readonly id?: string;
  readonly model: string;
  /** Never logged, never shown. */
  readonly apiKey?: string;
  /** Name of the variable the key came from, for the message when the vendor refuses it. */
  readonly keyName?: string;
  /** Known models with names near this one, for the message when the vendor does not know it. */
  readonly nearModels?: readonly string[];
  /** Default: the vendor's own address. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default: that of the type. */
  readonly vendorName?: string;
  /** Fields for the request body, as the user wrote them; some are renamed (docs/spec/backends.md 8), unknown ones are passed on. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** Sent with every request; their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests besides the first that may fail before a stream opened. Default 3. */
  readonly maxRetries?: number;
  /** Streams besides the first that may break off. Default 2. */
  readonly maxIncompleteResponseRetries?: number;
  /** Milliseconds in which some content must arrive; comments and empty events do not count. Default 240 000. */
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
  /** Name of the vendor in messages. */
  readonly vendorName: string;
  readonly vendor: Vendor;
  readonly address: BaseUrl;
  /** `null`: no `Authorization` header. */
  readonly apiKey: string | null;
  readonly keyName: string | null;
  readonly nearModels: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly price: ModelPrice | null;
  readonly secrets: readonly string[];
  readonly ambient: PacedAmbient;
}

/** @throws MassgenError for an unknown type, an address that is none, and a key that fits into no header. */
export function resolveSettings(options: OpenAIOptions): Settings {
  const { id = "openai", model, params = {}, headers = {} } = options;
  const vendor = Object.hasOwn(vendors, id) ? vendors[id] : undefined;
  if (vendor === undefined) {
    throw new MassgenError("UNKNOWN_BACKEND", `"${id}" is no provider of the Responses API.`, {
      hint: `Known: ${Object.keys(vendors).join(", ")}.`,
      exitCode: 1,
    });
  }
  const address = tidyBaseUrl(options.baseUrl ?? vendor.baseUrl, { apiPath: "/responses", defaultPath: "/v1" });
  const apiKey = checkedKey(options.apiKey);
  return {
    id,
    model,
    vendorName: options.vendorName ?? vendor.name,
    vendor,
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
