import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import type { OpenAIOptions } from "../src/index.js";
import { resolveSettings } from "../src/options.js";
import { openQuirks } from "../src/quirks.js";
import { buildRequest } from "../src/request.js";
import { turnRequest } from "./turns.js";

/** The body of a request, without sending it. */
export function bodyOf(request: Partial<TurnRequest> = {}, options: Partial<OpenAIOptions> = {}, quirks = openQuirks()) {
  const settings = resolveSettings({ model: "replay-model", apiKey: "k-k-k-k-k", ambient: testAmbient(), ...options });
  return buildRequest(turnRequest(request), settings, quirks).body as { readonly [key: string]: JsonValue } & {
    readonly input: readonly { readonly [key: string]: JsonValue }[];
  };
}

/** What the user is told before a request. */
export function warningsOf(request: Partial<TurnRequest> = {}, options: Partial<OpenAIOptions> = {}): readonly string[] {
  const settings = resolveSettings({ model: "replay-model", apiKey: "k-k-k-k-k", ambient: testAmbient(), ...options });
  return buildRequest(turnRequest(request), settings, openQuirks()).warnings;
}
