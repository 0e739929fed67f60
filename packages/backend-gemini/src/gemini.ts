import type { GenerateContentConfig } from "@google/genai/web";
import { type AttemptContext, AttemptError, type AttemptEvent, contextWindows, fatal, findModel, runTurn } from "@massgen/backend-kit";
import type { BackendAdapter, BackendCapabilities, TurnRequest } from "@massgen/contracts";
import { closeTurn } from "./close-turn.js";
import { type ContentStream, continueStream, openContentStream } from "./content-stream.js";
import { finishKind, nudgeFor } from "./finish.js";
import { type GeminiOptions, resolveSettings, type Settings } from "./options.js";
import { learnFrom, type Quirks, type Repairs } from "./quirks.js";
import { readReply } from "./read-reply.js";
import { type BuiltRequest, buildRequest } from "./request.js";
import { RefusedError, type SentRequest, send } from "./send.js";

/** How often a model that garbled its response is asked again. */
const MOST_NUDGES = 3;
/** How many responses one answer may be spread over. */
const MOST_CONTINUATIONS = 5;

/**
 * A model of Google's Gemini API. Loads the SDK and connects with the first `stream`.
 *
 * Learns while it runs: what the model says it does not take is left out from then on.
 * @throws MassgenError when the options cannot work: no address, an address, a key or a model that is none.
 */
export function createGemini(options: GeminiOptions): BackendAdapter {
  const settings = resolveSettings(options);
  const quirks: Quirks = { withoutThinking: false, withoutSystem: false, hasToldOfTools: false };
  const { id, model, vendor, secrets, ambient, limits } = settings;
  const guard = options.guard === undefined ? {} : { guard: options.guard };
  const limiter = options.limiter === undefined ? {} : { limiter: options.limiter };
  return {
    specVersion: 1,
    id,
    model,
    capabilities: capabilitiesOf(model, options.contextWindowTokens),
    stream(request, signal) {
      const turn = openTurn(request, settings, quirks);
      return runTurn({ model, who: `${vendor} (${model})`, ...turn, ...guard, ...limiter, request, limits, ambient, signal, secrets });
    },
    dispose: () => Promise.resolve(),
  };
}

function openTurn(request: TurnRequest, settings: Settings, quirks: Quirks) {
  const { ambient, vendor, facts, price, secrets } = settings;
  const repairs: Repairs = { callsAsText: false, nudge: "" };
  let built: BuiltRequest | null = null;
  let nudges = 0;

  return {
    prepare(): readonly string[] {
      built = buildRequest(request, settings, quirks, repairs);
      return toolWarning(built, settings, quirks);
    },
    async attempt(attempt: AttemptContext): Promise<AsyncIterable<AttemptEvent>> {
      const sdk = await import("@google/genai/web");
      built ??= buildRequest(request, settings, quirks, repairs);
      const { params, names, outputLimit } = built;
      const ask = (config: GenerateContentConfig): Promise<SentRequest> => send(sdk, { ...params, config }, settings, attempt.signal);
      const sent = await ask(params.config).catch((error: unknown) => {
        throw error instanceof RefusedError ? cured(error, params.config.thinkingConfig !== undefined) : error;
      });
      const stream = openContentStream(callIds(request), () => ambient.ids.next("call"), names.fromWire);
      const closing = { vendor, family: facts.family, request, price, outputLimit, secrets };
      return (async function* () {
        yield* readAnswer(sent, stream, attempt, (token) => ask({ ...params.config, continuationToken: token }));
        const garbled = stream.blockReason === null && finishKind(stream.finish ?? "") === "malformed";
        if (garbled) throw nudged(stream);
        yield* closeTurn(stream, closing);
      })();
    },
  };

  /** Reads the response, and those that go on where it was interrupted. */
  async function* readAnswer(
    first: SentRequest,
    stream: ContentStream,
    attempt: AttemptContext,
    goOn: (token: string) => Promise<SentRequest>,
  ): AsyncGenerator<AttemptEvent, void, undefined> {
    let { response, asked } = first;
    for (let count = 0; ; count++) {
      yield* readReply(response, stream, { asked, attempt, clock: ambient.clock });
      if (finishKind(stream.finish ?? "") !== "continuation") return;
      const token = stream.continuationToken;
      if (token === null || count >= MOST_CONTINUATIONS)
        throw new AttemptError(
          fatal(`${vendor} interrupted its answer ${count + 1} times (finish reason CONTINUATION, model ${settings.model}).`),
        );
      continueStream(stream);
      ({ response, asked } = await goOn(token));
    }
  }

  /** The refusal with what is to be done about it. */
  function cured(refused: RefusedError, hadThinking: boolean): AttemptError {
    const change = learnFrom(refused.reply, hadThinking, quirks, repairs);
    if (change === null) return refused;
    built = null;
    return new AttemptError({ ...refused.failure, message: `${refused.message} Asking again with ${change}.`, retry: "repaired" });
  }

  /** The response was complete and no answer: the model is told, and asked again at once. */
  function nudged({ finish, finishMessage }: ContentStream): AttemptError {
    const reason = finish ?? "";
    const said = finishMessage === "" ? "" : `: ${finishMessage.slice(0, 300)}`;
    const message = `${vendor} ended its answer with ${reason} (model ${settings.model})${said}.`;
    if (nudges >= Math.min(MOST_NUDGES, settings.limits.maxRetries)) return new AttemptError(fatal(message));
    nudges++;
    repairs.nudge = nudgeFor(reason, finishMessage.slice(0, 300));
    built = null;
    return new AttemptError({ ...fatal(message), kind: "backend_transient", retry: "repaired" });
  }
}

/** Said once: the user asked for something that does not happen. */
function toolWarning({ leftOut }: BuiltRequest, { model }: Settings, quirks: Quirks): readonly string[] {
  if (leftOut.length === 0 || quirks.hasToldOfTools) return [];
  quirks.hasToldOfTools = true;
  return [`"${model}" cannot use ${leftOut.join(" and ")} beside other tools: they are left out. Gemini 3 and later can.`];
}

/** Ids of the conversation so far; Gemini may use the same ones again in every response. */
function callIds({ messages }: TurnRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [],
  );
}

function capabilitiesOf(model: string, contextWindowTokens: number | null | undefined): BackendCapabilities {
  return {
    loop: "host",
    hookDelivery: "in_process",
    toolsMayChangeMidConversation: true,
    forcedToolChoice: true,
    parallelToolCalls: true,
    input: ["text", "image", "audio", "video", "pdf"],
    contextWindowTokens: contextWindowTokens === undefined ? findModel(model, contextWindows) : contextWindowTokens,
    resumableConversations: false,
  };
}
