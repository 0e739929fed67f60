import {
  type AdapterOptions,
  type BaseUrl,
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
import { azureAddress } from "./azure.js";
import { type Preset, presetOfHost, presets } from "./presets.js";

export interface ChatCompletionsOptions extends AdapterOptions {
  /** Provider type, one of `presets`. Default `chatcompletion`, whose vendor is recognised by the host of `baseUrl`. */
  readonly id?: string;
  /** Local servers need none. Never logged, never shown. */
  readonly apiKey?: string;
  /** Name of the vendor in messages. Default: that of the preset or the host. */
  readonly vendorName?: string;
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
