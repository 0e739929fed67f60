import { type AttemptEvent, estimateUsage, isWhole, type ModelPrice, parseArguments } from "@massgen/backend-kit";
import type { AssistantMessage, Part, StopReason, ToolCallPart, TurnRequest } from "@massgen/contracts";
import { isObject, textOf } from "./json.js";
import { isCall, type OutputItem, textsOf } from "./output-items.js";
import { itemPart, phasePart } from "./payload.js";
import { readUsage } from "./read-usage.js";
import { claimId, type ResponseStream, takeEvents } from "./response-stream.js";

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
export function closeTurn(stream: ResponseStream, context: ClosingContext): readonly AttemptEvent[] {
  const why = whyIncomplete(stream);
  // Of a response that was cut, only what is whole counts: half of the arguments are not the arguments.
  const lost = why === null ? [] : stream.items.filter((item) => isCall(item) && isCut(item));
  const parts = stream.items.flatMap((item) => (lost.includes(item) ? [] : partsOf(item, stream, context.model)));
  const calls = parts.filter((part) => part.type === "tool_call");
  const message: AssistantMessage = { role: "assistant", parts };
  const cutTexts = lost.map((item): Part => ({ type: "text", text: textsOf(item, ["input"]) }));
  const usage =
    readUsage(stream.ending?.response["usage"], context.price) ?? estimateUsage(context.request, [...parts, ...cutTexts], context.price);
  const reason = reasonOf(why, calls.length > 0, stream.hasRefused);
  const warning =
    why === null
      ? undefined
      : reason === "refusal"
        ? "The vendor's content filter ended the answer (incomplete: content_filter)."
        : `${lengthWarning(why, context.outputLimit ?? usage.outputTokens)}${lostWarning(lost, stream.toTool)}`;
  return [
    ...takeEvents(stream),
    ...calls.map(({ type: _part, ...call }): AttemptEvent => ({ type: "tool_call", ...call, executedBy: "host" })),
    { type: "turn_end", reason, message, usage, ...(warning === undefined ? {} : { warning }) },
  ];
}

/** `null`: the response is complete. */
function whyIncomplete({ ending }: ResponseStream): string | null {
  if (ending === null || ending.status !== "incomplete") return null;
  const details = ending.response["incomplete_details"];
  return (isObject(details) ? textOf(details["reason"]) : "") || "max_output_tokens";
}

/** A call wins over a refusal beside it; a filter wins over everything. */
function reasonOf(why: string | null, hasCalls: boolean, hasRefused: boolean): StopReason {
  if (why === "content_filter") return "refusal";
  if (why !== null) return "length";
  if (hasCalls) return "tool_calls";
  return hasRefused ? "refusal" : "stop";
}

function isCut(item: OutputItem): boolean {
  const text = textsOf(item, ["input"]);
  return !isWhole(text) && !(item.isDone && text === "");
}

function partsOf(item: OutputItem, stream: ResponseStream, model: string): readonly Part[] {
  switch (item.type) {
    case "message": {
      const text = textsOf(item, ["text", "refusal"]);
      const phase = textOf(item.raw["phase"]);
      if (text === "") return [];
      return [...(phase === "" ? [] : [phasePart(model, phase)]), { type: "text", text }];
    }
    case "reasoning": {
      const text = textsOf(item, ["summary", "thought"], "\n\n");
      if (item.isDone) return [itemPart(text, model, item.raw)];
      return text === "" ? [] : [{ type: "reasoning", text }];
    }
    case "function_call":
    case "custom_tool_call":
      return [callPart(item, stream)];
    default:
      // Searches, runs of code and what may come: they go back in their place, or the reasoning before them is refused.
      return item.isDone ? [itemPart("", model, item.raw)] : [];
  }
}

function callPart(item: OutputItem, stream: ResponseStream): ToolCallPart {
  const text = textsOf(item, ["input"]);
  if (item.callId === "") item.callId = claimId(stream, textOf(item.raw["call_id"]));
  const { callId, name } = item;
  if (name === "") {
    const inputError = `The call has no tool name. Its arguments were: ${text}`;
    return { type: "tool_call", callId, tool: NAMELESS, input: {}, inputError };
  }
  const tool = stream.toTool(name);
  // A free-form tool is given a plain text.
  if (item.type === "custom_tool_call") return { type: "tool_call", callId, tool, input: { input: text } };
  return { type: "tool_call", callId, tool, ...parseArguments(text.trim()) };
}

function lengthWarning(why: string, limit: number): string {
  if (why !== "max_output_tokens") return `The vendor cut the response (incomplete: ${why}).`;
  return `The response was cut at the limit of ${limit} output tokens (max_tokens).`;
}

function lostWarning(lost: readonly OutputItem[], toTool: (name: string) => string): string {
  if (lost.length === 0) return "";
  const names = lost.map(({ name }) => (name === "" ? NAMELESS : toTool(name))).join(", ");
  return ` ${lost.length === 1 ? "The call" : "The calls"} of ${names} ${lost.length === 1 ? "was" : "were"} cut off with it and left out.`;
}
