import {
  type AdapterOptions,
  type BaseUrl,
  checkedKey,
  listPrices,
  type ModelPrice,
  type PacedAmbient,
  pacedAmbient,
  priceOf,
  tidyBaseUrl,
  webAmbient,
} from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { type Vendor, vendors } from "./vendors.js";

export interface OpenAIOptions extends AdapterOptions {
  /** Provider type, one of `vendors`. Default `openai`. */
  readonly id?: string;
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
