import { type AttemptEvent, estimateUsage, type ModelPrice, mergeUsage, redact } from "@massgen/backend-kit";
import type { AssistantMessage, Part, StopReason, TurnRequest } from "@massgen/contracts";
import { type ContentStream, takeEvents } from "./content-stream.js";
import { finishKind } from "./finish.js";
import { reasoningPart } from "./message-layout.js";
import { searchEvents } from "./own-tools.js";
import { readUsage } from "./read-usage.js";

export interface ClosingContext {
  readonly vendor: string;
  /** See `ModelFacts`. */
  readonly family: string;
  readonly request: TurnRequest;
  readonly price: ModelPrice | null;
  /** The limit that was sent, for the warning of a turn it cut. */
  readonly outputLimit: number | null;
  readonly secrets: readonly string[];
}

const LONGEST_REASON = 300;

/** The last events of a response that is complete: its calls, then `turn_end`. */
export function closeTurn(stream: ContentStream, context: ClosingContext): readonly AttemptEvent[] {
  const { request, price } = context;
  const isRefused = stream.blockReason !== null || finishKind(stream.finish ?? "") === "refusal";
  const said: AssistantMessage = { role: "assistant", parts: partsOf(stream, context.family) };
  const calls = isRefused ? [] : stream.parts.filter((part) => part.type === "tool_call");
  const counted = [...stream.usageBefore, stream.usage].map((usage) => readUsage(usage, price)).filter((usage) => usage !== null);
  const usage = counted.length > 0 ? mergeUsage(...counted) : estimateUsage(request, said.parts, price);
  const reason: StopReason = isRefused
    ? "refusal"
    : finishKind(stream.finish ?? "") === "length"
      ? "length"
      : calls.length > 0
        ? "tool_calls"
        : "stop";
  const limit = context.outputLimit ?? usage.outputTokens;
  return [
    ...takeEvents(stream),
    ...searchEvents(stream.grounding, stream.newId),
    ...calls.map(({ type: _part, ...call }): AttemptEvent => ({ type: "tool_call", ...call, executedBy: "host" })),
    {
      type: "turn_end",
      reason,
      // Half a sentence that was stopped is no answer: what stands in its place is why.
      message: isRefused ? { role: "assistant", parts: [{ type: "text", text: refusalText(stream, context) }] } : said,
      usage,
      ...(reason === "length" ? { warning: `The response was cut at the limit of ${limit} output tokens (max_tokens).` } : {}),
    },
  ];
}

function partsOf(stream: ContentStream, family: string): readonly Part[] {
  const reasoning = reasoningPart(stream.reasoning, stream.layout, family);
  return reasoning === null ? stream.parts : [reasoning, ...stream.parts];
}

/** `Gemini blocked the prompt: PROHIBITED_CONTENT.`, with the categories and the words Google gave. */
function refusalText({ blockReason, finish, blockedFor, finishMessage }: ContentStream, { vendor, secrets }: ClosingContext): string {
  const what = blockReason === null ? `${vendor} stopped its answer: ${finish}` : `${vendor} blocked the prompt: ${blockReason}`;
  const categories = blockedFor.length === 0 ? "" : ` (${blockedFor.join(", ")})`;
  const words = finishMessage.trim().slice(0, LONGEST_REASON);
  return redact(`${what}${categories}.${words === "" ? "" : ` ${words}`}`, secrets);
}
