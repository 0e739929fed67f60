import {
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  contextWindows,
  defaultRetryLimits,
  findModel,
  runTurn,
} from "@massgen/backend-kit";
import type { BackendAdapter, BackendCapabilities, TurnRequest } from "@massgen/contracts";
import { type OpenAIOptions, resolveSettings, type Settings } from "./options.js";
import { learnFrom, openQuirks, type Quirks } from "./quirks.js";
import { readReply } from "./read-reply.js";
import { type BuiltRequest, buildRequest, inputKinds } from "./request.js";
import { openResponseStream } from "./response-stream.js";
import { RefusedError, send } from "./send.js";

/**
 * A model behind OpenAI's Responses API, or xAI's. Loads the SDK and connects with the first `stream`.
 *
 * Nothing is stored with the vendor: each request carries the whole history, with the model's encrypted thoughts in it.
 * Learns while it runs: a field the server refuses for this model is left out from then on.
 * @throws MassgenError when the options cannot work: unknown type, an address or a key that is none.
 */
export function createOpenAI(options: OpenAIOptions): BackendAdapter {
  const settings = resolveSettings(options);
  const quirks = openQuirks();
  const limits = {
    maxRetries: options.maxRetries ?? defaultRetryLimits.maxRetries,
    maxIncompleteResponseRetries: options.maxIncompleteResponseRetries ?? defaultRetryLimits.maxIncompleteResponseRetries,
    silenceMs: options.timeoutMs ?? defaultRetryLimits.silenceMs,
  };
  const { id, model, vendorName, secrets, ambient } = settings;
  const guard = options.guard === undefined ? {} : { guard: options.guard };
  const limiter = options.limiter === undefined ? {} : { limiter: options.limiter };
  return {
    specVersion: 1,
    id,
    model,
    capabilities: capabilitiesOf(settings, options.contextWindowTokens),
    stream(request, signal) {
      const turn = openTurn(request, settings, quirks);
      return runTurn({ model, who: `${vendorName} (${model})`, ...turn, ...guard, ...limiter, request, limits, ambient, signal, secrets });
    },
    dispose: () => Promise.resolve(),
  };
}

function openTurn(request: TurnRequest, settings: Settings, quirks: Quirks) {
  let built: BuiltRequest | null = null;

  /** Built once, and again only when the server has taught something. */
  function build(): BuiltRequest {
    if (built === null || built.version !== quirks.version) built = buildRequest(request, settings, quirks);
    return built;
  }

  return {
    prepare(): readonly string[] {
      // Each warning is said once, not before every turn.
      const unsaid = build().warnings.filter((warning) => !quirks.said.has(warning));
      for (const warning of unsaid) quirks.said.add(warning);
      return unsaid;
    },
    async attempt(attempt: AttemptContext): Promise<AsyncIterable<AttemptEvent>> {
      const sdk = await import("openai");
      const { body, names } = build();
      const { response, asked } = await send(sdk, body, settings, attempt.signal).catch((error: unknown) => {
        throw error instanceof RefusedError ? cured(error, body) : error;
      });
      const stream = openResponseStream({
        names: request.tools.map(({ name }) => names.toWire(name)),
        toTool: names.fromWire,
        takenIds: callIds(request),
        newId: () => settings.ambient.ids.next("call"),
      });
      const limit = body["max_output_tokens"];
      return readReply(response, stream, {
        asked,
        attempt,
        clock: settings.ambient.clock,
        model: settings.model,
        request,
        price: settings.price,
        outputLimit: typeof limit === "number" ? limit : null,
      });
    },
  };

  /** The refusal with what is to be done about it. */
  function cured(refused: RefusedError, sent: BuiltRequest["body"]): AttemptError {
    const change = learnFrom(refused.reply, sent, quirks);
    if (change === null) return refused;
    const message = `${refused.message} Asking again with ${change}.`;
    return new AttemptError({ ...refused.failure, message, retry: "repaired" });
  }
}

/** Ids of the conversation so far: a gateway that begins its numbers anew in every response must not repeat them. */
function callIds({ messages }: TurnRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [],
  );
}

function capabilitiesOf(settings: Settings, contextWindowTokens: number | null | undefined): BackendCapabilities {
  return {
    loop: "host",
    hookDelivery: "in_process",
    toolsMayChangeMidConversation: true,
    forcedToolChoice: true,
    parallelToolCalls: true,
    input: inputKinds(settings),
    contextWindowTokens: contextWindowTokens === undefined ? findModel(settings.model, contextWindows) : contextWindowTokens,
    resumableConversations: false,
  };
}
