import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import type { AnthropicOptions } from "../src/index.js";
import { resolveSettings } from "../src/options.js";
import { openQuirks } from "../src/quirks.js";
import { buildRequest } from "../src/request.js";
import { turnRequest } from "./turns.js";

export function requestOf(request: Partial<TurnRequest> = {}, options: Partial<AnthropicOptions> = {}, quirks = openQuirks()) {
  const settings = resolveSettings({ model: "replay-model", apiKey: "k-k-k-k-k", ambient: testAmbient(), ...options });
  return buildRequest(turnRequest(request), settings, quirks);
}

/** The body of a request, without sending it. */
export function bodyOf(request: Partial<TurnRequest> = {}, options: Partial<AnthropicOptions> = {}, quirks = openQuirks()) {
  return requestOf(request, options, quirks).body as { readonly [key: string]: JsonValue } & {
    readonly messages: readonly { readonly role: string; readonly content: readonly { readonly [key: string]: JsonValue }[] }[];
  };
}
