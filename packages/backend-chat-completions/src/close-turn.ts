import {
  type AttemptEvent,
  costUsd,
  estimatePartTokens,
  estimateRequestTokens,
  type GatheredCall,
  gatherCalls,
  isWhole,
  type ModelPrice,
  parseArguments,
} from "@massgen/backend-kit";
import type { AssistantMessage, Part, StopReason, ToolCallPart, TurnRequest, Usage } from "@massgen/contracts";
import { type ChatStream, flushText, takeEvents } from "./chat-stream.js";
import { readUsage } from "./read-usage.js";
import { reasoningPart } from "./reasoning.js";

export interface ClosingContext {
  readonly model: string;
  readonly request: TurnRequest;
  readonly price: ModelPrice | null;
  /** The limit that was sent, for the warning of a turn it cut. */
  readonly outputLimit: number | null;
}

/** The name a call goes by that never got one: nothing can run it, and the model is told so. */
const NAMELESS = "unnamed_tool";

/** The last events of a response that is complete: its calls, then `turn_end`. */
export function closeTurn(stream: ChatStream, context: ClosingContext): readonly AttemptEvent[] {
  flushText(stream);
  const isCut = stream.finish === "length" || stream.finish === "max_tokens";
  const isFiltered = stream.finish === "content_filter";
  const gathered = gatherCalls(stream.calls);
  // Of a response that was cut, only what is whole counts: half of the arguments are not the arguments.
  const lost = isCut || isFiltered ? gathered.filter((call) => !isWhole(call.argumentsText)) : [];
  const calls = gathered.filter((call) => !lost.includes(call)).map((call) => callPart(call, stream.toTool));
  const message: AssistantMessage = { role: "assistant", parts: partsOf(stream, calls, context.model) };
  const usage = readUsage(stream.usage, context.price) ?? estimated(message, lost, context);
  const reason = reasonOf(stream, calls.length > 0);
  const warning = isCut
    ? lengthWarning(lost, context.outputLimit ?? usage.outputTokens, stream.toTool)
    : isFiltered
      ? "The vendor's content filter ended the answer (finish_reason content_filter)."
      : undefined;
  return [
    ...takeEvents(stream),
    ...calls.map(({ type: _part, ...call }): AttemptEvent => ({ type: "tool_call", ...call, executedBy: "host" })),
    { type: "turn_end", reason, message, usage, ...(warning === undefined ? {} : { warning }) },
  ];
}

/** A call wins over a word that says otherwise; a word nobody knows is a normal end. */
function reasonOf({ finish, refused }: ChatStream, hasCalls: boolean): StopReason {
  if (finish === "length" || finish === "max_tokens") return "length";
  if (finish === "content_filter" || finish === "refusal" || (refused && !hasCalls)) return "refusal";
  return hasCalls ? "tool_calls" : "stop";
}

function callPart({ callId, tool, argumentsText }: GatheredCall, toTool: (name: string) => string): ToolCallPart {
  if (tool === "")
    return {
      type: "tool_call",
      callId,
      tool: NAMELESS,
      input: {},
      inputError: `The call has no tool name. Its arguments were: ${argumentsText}`,
    };
  return { type: "tool_call", callId, tool: toTool(tool), ...parseArguments(argumentsText) };
}

function partsOf(stream: ChatStream, calls: readonly ToolCallPart[], model: string): readonly Part[] {
  const { text, reasoning, reasoningField, details } = stream;
  return [
    ...(reasoningField === null ? [] : [reasoningPart(reasoning, model, { field: reasoningField, details })]),
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls,
  ];
}

function estimated(message: AssistantMessage, lost: readonly GatheredCall[], { request, price }: ClosingContext): Usage {
  const inputTokens = estimateRequestTokens(request.messages, request.tools);
  const lostParts = lost.map(({ argumentsText }): Part => ({ type: "text", text: argumentsText }));
  const outputTokens = estimatePartTokens([...message.parts, ...lostParts]);
  const reasoningTokens = estimatePartTokens(message.parts.filter((part) => part.type === "reasoning"));
  const tokens = { inputTokens, outputTokens, cachedTokens: 0 };
  return { ...tokens, reasoningTokens, costUsd: costUsd(tokens, price), estimated: true };
}

function lengthWarning(lost: readonly GatheredCall[], limit: number, toTool: (name: string) => string): string {
  const cut = `The response was cut at the limit of ${limit} output tokens (max_tokens).`;
  if (lost.length === 0) return cut;
  const names = lost.map(({ tool }) => (tool === "" ? NAMELESS : toTool(tool))).join(", ");
  return `${cut} ${lost.length === 1 ? "The call" : "The calls"} of ${names} ${lost.length === 1 ? "was" : "were"} cut off with it and left out.`;
}
