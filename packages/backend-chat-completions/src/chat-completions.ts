import {
  type AttemptContext,
  AttemptError,
  type AttemptEvent,
  contextWindows,
  defaultRetryLimits,
  estimateRequestTokens,
  findModel,
  runTurn,
} from "@massgen/backend-kit";
import type { BackendAdapter, BackendCapabilities, TurnRequest } from "@massgen/contracts";
import { openChatStream } from "./chat-stream.js";
import { type ChatCompletionsOptions, resolveSettings, type Settings } from "./options.js";
import { learnFrom, openQuirks, type Quirks } from "./quirks.js";
import { readReply } from "./read-reply.js";
import type { RenderMemory } from "./render-messages.js";
import { type BuiltRequest, buildRequest } from "./request.js";
import { RefusedError, send } from "./send.js";

/** What Ollama gives a model whose own default is not larger. */
const OLLAMA_CONTEXT_TOKENS = 4096;

/**
 * A model behind any API that speaks OpenAI's Chat Completions. Loads the SDK and connects with the first `stream`.
 *
 * Learns while it runs: a field the server says it does not know is left out from then on.
 * @throws MassgenError when the options cannot work: unknown type, no address, an address or a key that is none.
 */
export function createChatCompletions(options: ChatCompletionsOptions): BackendAdapter {
  const settings = resolveSettings(options);
  const quirks = openQuirks();
  const memory: RenderMemory = new WeakMap();
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
      const turn = openTurn(request, settings, quirks, memory);
      return runTurn({ model, who: `${vendor} (${model})`, ...turn, ...guard, ...limiter, request, limits, ambient, signal, secrets });
    },
    dispose: () => Promise.resolve(),
  };
}

function openTurn(request: TurnRequest, settings: Settings, quirks: Quirks, memory: RenderMemory) {
  let built: BuiltRequest | null = null;
  let mayRepeatFailedCall = true;

  /** Built once, and again only when the server has taught something. */
  function build(): BuiltRequest {
    if (built === null || built.version !== quirks.version) built = buildRequest(request, settings, quirks, memory);
    return built;
  }

  return {
    prepare(): readonly string[] {
      build();
      return contextWarning(request, settings, quirks);
    },
    async attempt(attempt: AttemptContext): Promise<AsyncIterable<AttemptEvent>> {
      const sdk = await import("openai");
      const { body, names } = build();
      const { response, asked } = await send(sdk, body, settings, attempt.signal).catch((error: unknown) => {
        throw error instanceof RefusedError ? cured(error, body) : error;
      });
      const stream = openChatStream(callIds(request), () => settings.ambient.ids.next("call"), names.fromWire);
      const limit = body["max_completion_tokens"] ?? body["max_tokens"];
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
    if (change !== null) {
      const message = `${refused.message} Asking again with ${change}.`;
      return new AttemptError({ ...refused.failure, message, retry: "repaired" });
    }
    // Groq reads the model's call itself, and refuses the request when the model garbled it.
    if (mayRepeatFailedCall && refused.reply.status === 400 && refused.reply.body.includes("tool_use_failed")) {
      mayRepeatFailedCall = false;
      return new AttemptError({ ...refused.failure, retry: "repaired" });
    }
    return refused;
  }
}

/** Ollama cuts what does not fit without a word, and this API cannot tell it to take more. Said once. */
function contextWarning({ messages, tools }: TurnRequest, { id, model }: Settings, quirks: Quirks): readonly string[] {
  if (id !== "ollama" || quirks.hasWarnedOfContext) return [];
  const tokens = estimateRequestTokens(messages, tools);
  if (tokens <= OLLAMA_CONTEXT_TOKENS) return [];
  quirks.hasWarnedOfContext = true;
  return [
    `The prompt for "${model}" has about ${tokens} tokens. Ollama reads ${OLLAMA_CONTEXT_TOKENS} unless told otherwise: start it with OLLAMA_CONTEXT_LENGTH set higher.`,
  ];
}

/** Ids of the conversation so far: a vendor that begins its numbers anew in every response must not repeat them. */
function callIds({ messages }: TurnRequest): readonly string[] {
  const ids: string[] = [];
  for (const message of messages)
    if (message.role === "assistant") for (const part of message.parts) if (part.type === "tool_call") ids.push(part.callId);
  return ids;
}

function capabilitiesOf({ preset, model }: Settings, contextWindowTokens: number | null | undefined): BackendCapabilities {
  return {
    loop: "host",
    hookDelivery: "in_process",
    toolsMayChangeMidConversation: true,
    forcedToolChoice: preset.toolChoice === "all" || preset.toolChoice === "no_named",
    parallelToolCalls: preset.parallelToolCalls,
    input: preset.input,
    contextWindowTokens: contextWindowTokens === undefined ? findModel(model, contextWindows) : contextWindowTokens,
    resumableConversations: false,
  };
}
