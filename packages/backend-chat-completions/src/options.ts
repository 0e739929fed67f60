import {
  type BaseUrl,
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
import { azureAddress } from "./azure.js";
import { type Preset, presetOfHost, presets } from "./presets.js";

export interface ChatCompletionsOptions {
  /** Provider type, one of `presets`. Default `chatcompletion`, whose vendor is recognised by the host of `baseUrl`. */
  readonly id?: string;
  readonly model: string;
  /** Never logged, never shown. Local servers need none. */
  readonly apiKey?: string;
  /** Name of the variable the key came from, for the message when the vendor refuses it. */
  readonly keyName?: string;
  /** Known models with names near this one, for the message when the vendor does not know it. */
  readonly nearModels?: readonly string[];
  /** Default: the vendor's own address. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default: that of the preset or the host. */
  readonly vendorName?: string;
  /** Fields for the request body, as the user wrote them; some are renamed (docs/spec/backends.md 8), unknown ones are passed on. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** Sent with every request; their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests besides the first that may fail before a stream opened. Default 3. */
  readonly maxRetries?: number;
  /** Streams besides the first that may break off. Default 2. */
  readonly maxIncompleteResponseRetries?: number;
  /** Milliseconds in which some content must arrive; comments and empty chunks do not count. Default 240 000. */
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
  readonly vendor: string;
  readonly preset: Preset;
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

const API_PATH = "/chat/completions";
const free: ModelPrice = { input: 0, output: 0 };

/** @throws MassgenError for an unknown type, an address that is none, and a key that fits into no header. */
export function resolveSettings(options: ChatCompletionsOptions): Settings {
  const { id = "chatcompletion", model, params = {}, headers = {} } = options;
  const typed = presets[id];
  if (typed === undefined) {
    throw new MassgenError("UNKNOWN_BACKEND", `"${id}" is no provider of the Chat Completions API.`, {
      hint: `Known: ${Object.keys(presets).join(", ")}.`,
      exitCode: 1,
    });
  }
  const written = options.baseUrl ?? typed.baseUrl;
  if (written === null) {
    throw new MassgenError("CONFIG_INVALID", `The backend "${id}" needs a base_url.`, {
      hint: "Set it to the address of the server, for example http://localhost:8000/v1.",
      exitCode: 1,
    });
  }
  const tidied = tidyBaseUrl(written, { apiPath: API_PATH, defaultPath: typed.dialect === "azure" ? "" : "/v1" });
  // A type that names its vendor keeps its ways behind any address: a gateway does not change the dialect.
  const preset = id === "chatcompletion" ? (presetOfHost(new URL(tidied.href).hostname) ?? typed) : typed;
  const address = preset.dialect === "azure" ? azureAddress(tidied, model, params) : tidied;
  const apiKey = checkedKey(options.apiKey) ?? preset.local?.placeholderKey ?? null;
  return {
    id,
    model,
    vendor: options.vendorName ?? preset.name,
    preset,
    address,
    apiKey,
    keyName: options.keyName ?? null,
    nearModels: options.nearModels ?? [],
    headers: { ...(preset.dialect === "openrouter" ? { "X-Title": "MassGen" } : {}), ...headers },
    params,
    price: preset.local === null ? priceOf(model, options.prices ?? listPrices) : free,
    secrets: [apiKey, address.credentials?.password, ...Object.values(headers)].filter((secret) => typeof secret === "string"),
    ambient: pacedAmbient(webAmbient(options.ambient)),
  };
}

function checkedKey(key: string | undefined): string | null {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") return null;
  if (/[^\x21-\x7e]/.test(trimmed)) {
    throw new MassgenError("CONFIG_INVALID", "The API key holds a character that no key has, such as a blank or a line end.", {
      hint: "Copy the key again.",
      exitCode: 1,
    });
  }
  return trimmed;
}
