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
import { type ModelTraits, modelTraits } from "./models.js";

export interface AnthropicOptions extends AdapterOptions {
  /** Provider type. Default `claude`. */
  readonly id?: string;
  /** Default: `https://api.anthropic.com`. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default `Anthropic`. */
  readonly vendorName?: string;
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
