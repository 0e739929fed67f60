import { type AttemptContext, AttemptError, type AttemptEvent, fatal } from "@massgen/backend-kit";
import type { TurnRequest } from "@massgen/contracts";
import { windowIsFull } from "./classify.js";
import { closeTurn } from "./close-turn.js";
import { wireContent } from "./content-blocks.js";
import type { JsonObject } from "./json.js";
import { type MessageStream, openMessageStream, shownAgain } from "./message-stream.js";
import { endOfLifeNotice } from "./models.js";
import type { Settings } from "./options.js";
import { learnFrom, type Quirks } from "./quirks.js";
import { readReply } from "./read-reply.js";
import { type BuiltRequest, buildRequest, continued } from "./request.js";
import { RefusedError, type SentRequest, send } from "./send.js";
import { unpackBatches } from "./unpack-batches.js";

/** How often one turn may pause before it counts as going round in circles. */
const MOST_PAUSES = 10;

/** One turn as `runTurn` wants it: the vendor may answer it in several responses, each going on where the last one paused. */
export function openTurn(request: TurnRequest, settings: Settings, quirks: Quirks) {
  let built: BuiltRequest | null = null;
  /** Responses that paused, kept from one attempt to the next: searches that were made and paid for are not made again. */
  const paused: MessageStream[] = [];

  /** Built once, and again only when the vendor has taught something. */
  function build(): BuiltRequest {
    if (built === null || built.version !== quirks.version) built = buildRequest(request, settings, quirks);
    return built;
  }

  async function ask(attempt: AttemptContext): Promise<SentRequest> {
    const sdk = await import("@anthropic-ai/sdk");
    const now = build();
    const said = paused.flatMap((response) => wireContent(response.blocks));
    const body = continued(now, said, paused.at(-1)?.container ?? null);
    // A signal for each request: what the SDK and `fetch` hang on it goes with it, however often the turn pauses.
    const signal = AbortSignal.any([attempt.signal]);
    return send(sdk, { body, headers: now.headers, signal }, settings).catch((error: unknown) => {
      throw error instanceof RefusedError ? cured(error, body) : error;
    });
  }

  async function* read(first: SentRequest, attempt: AttemptContext): AsyncGenerator<readonly AttemptEvent[], void, undefined> {
    const { tools, maxTokens } = build();
    const ids = claimIds(request, settings);
    for (const response of paused) yield shownAgain(response);
    for (let sent = first; ; sent = await ask(attempt)) {
      const response = openMessageStream({ toTool: tools.fromWire, claimId: ids });
      yield* readReply(sent.response, response, { asked: sent.asked, attempt, clock: settings.ambient.clock });
      if (response.stopReason === "model_context_window_exceeded") throw new AttemptError(windowIsFull(sent.asked));
      const isPaused = response.stopReason === "pause_turn" && !response.blocks.some((block) => block.type === "tool_use");
      if (!isPaused) {
        const { inputFromWire } = tools;
        yield closeTurn([...paused, response], {
          model: settings.model,
          inputFromWire,
          request,
          price: settings.price,
          outputLimit: maxTokens,
        });
        return;
      }
      paused.push(response);
      if (paused.length >= MOST_PAUSES) throw new AttemptError(fatal(tooManyPauses(settings)));
    }
  }

  /** The refusal with what is to be done about it. */
  function cured(refused: RefusedError, sent: JsonObject): AttemptError {
    const change = learnFrom(refused.reply, sent, quirks);
    if (change === null) return refused;
    return new AttemptError({ ...refused.failure, message: `${refused.message} Asking again with ${change}.`, retry: "repaired" });
  }

  return {
    prepare(): readonly string[] {
      const notice = endOfLifeNotice(settings.model);
      const fresh = [...(notice === null ? [] : [notice]), ...build().warnings].filter((warning) => !quirks.said.has(warning));
      for (const warning of fresh) quirks.said.add(warning);
      return fresh;
    },
    attempt: async (attempt: AttemptContext): Promise<AsyncIterable<AttemptEvent>> => unpackBatches(read(await ask(attempt), attempt)),
  };
}

/** Ids of calls stay unique in a conversation, whatever a gateway sends. */
function claimIds({ messages }: TurnRequest, { ambient }: Settings): (wanted: string) => string {
  const taken = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [],
    ),
  );
  return (wanted) => {
    let id = wanted;
    while (id === "" || taken.has(id)) id = ambient.ids.next("call");
    taken.add(id);
    return id;
  };
}

function tooManyPauses({ vendor, model }: Settings): string {
  return `${vendor} paused the turn of "${model}" ${MOST_PAUSES} times (stop_reason pause_turn) without coming to an end.`;
}
