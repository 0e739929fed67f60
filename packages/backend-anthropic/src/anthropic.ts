import { contextWindows, defaultRetryLimits, findModel, runTurn } from "@massgen/backend-kit";
import type { BackendAdapter, BackendCapabilities } from "@massgen/contracts";
import { type AnthropicOptions, resolveSettings, type Settings } from "./options.js";
import { openQuirks } from "./quirks.js";
import { thinkingFields, thinks } from "./thinking.js";
import { openTurn } from "./turn.js";

/**
 * A model behind Anthropic's Messages API, at the vendor or at whoever speaks it. Loads the SDK and connects with the first
 * `stream`.
 *
 * Learns while it runs: a field the vendor says it does not take is left out from then on.
 * @throws MassgenError when the options cannot work: an address or a key that is none.
 */
export function createAnthropic(options: AnthropicOptions): BackendAdapter {
  const settings = resolveSettings(options);
  const quirks = openQuirks();
  const limits = {
    maxRetries: options.maxRetries ?? defaultRetryLimits.maxRetries,
    maxIncompleteResponseRetries: options.maxIncompleteResponseRetries ?? defaultRetryLimits.maxIncompleteResponseRetries,
    silenceMs: options.timeoutMs ?? defaultRetryLimits.silenceMs,
  };
  const { id, model, vendor, secrets, ambient } = settings;
  const guard = options.guard === undefined ? {} : { guard: options.guard };
  const limiter = options.limiter === undefined ? {} : { limiter: options.limiter };
  return {
    specVersion: 1,
    id,
    model,
    capabilities: capabilitiesOf(settings, options.contextWindowTokens),
    stream(request, signal) {
      const turn = openTurn(request, settings, quirks);
      return runTurn({ model, who: `${vendor} (${model})`, ...turn, ...guard, ...limiter, request, limits, ambient, signal, secrets });
    },
    dispose: () => Promise.resolve(),
  };
}

function capabilitiesOf({ model, traits, params }: Settings, contextWindowTokens: number | null | undefined): BackendCapabilities {
  const { thinking } = thinkingFields(params, traits, Number.POSITIVE_INFINITY);
  return {
    loop: "host",
    hookDelivery: "in_process",
    toolsMayChangeMidConversation: true,
    forcedToolChoice: !thinks(thinking),
    parallelToolCalls: true,
    input: ["text", "image", "pdf"],
    contextWindowTokens:
      contextWindowTokens === undefined ? (findModel(model, contextWindows) ?? traits.contextWindowTokens) : contextWindowTokens,
    resumableConversations: false,
  };
}
