import { type AttemptEvent, estimateUsage, isWhole, type ModelPrice, mergeUsage } from "@massgen/backend-kit";
import type { AssistantMessage, Part, StopReason, ToolCallPart, TurnRequest, Usage } from "@massgen/contracts";
import { type PartContext, partOf } from "./content-blocks.js";
import { textOf } from "./json.js";
import { argumentsText, type Block, isServerCall, type MessageStream } from "./message-stream.js";
import { readUsage } from "./read-usage.js";

export interface ClosingContext extends PartContext {
  readonly request: TurnRequest;
  readonly price: ModelPrice | null;
  /** The limit that was sent, for the warning of a turn it cut. */
  readonly outputLimit: number;
}

/** The last events of a turn: the calls, then `turn_end`. `responses`: those that paused, and the one that did not. */
export function closeTurn(responses: readonly MessageStream[], context: ClosingContext): readonly AttemptEvent[] {
  const last = responses.at(-1)!;
  const blocks = responses.flatMap((response) => response.blocks);
  const isCut = last.stopReason === "max_tokens";
  if (last.stopReason === "refusal") return [refusal(last, blocks, usageOf(responses, context))];
  // Of a response that was cut, only what is whole counts: half of the arguments are not the arguments.
  const lost = isCut ? blocks.filter((block) => isLost(block, blocks)) : [];
  const parts = blocks.filter((block) => !lost.includes(block)).flatMap((block) => partOf(block, context));
  const calls = parts.filter((part) => part.type === "tool_call");
  const message: AssistantMessage = { role: "assistant", parts };
  const reason: StopReason = isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
  return [
    ...calls.map(({ type: _part, ...call }: ToolCallPart): AttemptEvent => ({ type: "tool_call", ...call, executedBy: "host" })),
    {
      type: "turn_end",
      reason,
      message,
      usage: usageOf(responses, context),
      ...(isCut
        ? {
            warning: lengthWarning(
              lost.filter((block) => block.type === "tool_use"),
              context.outputLimit,
            ),
          }
        : {}),
    },
  ];
}

/** Declined: what was written so far stands in no later request, so only words remain of it. */
function refusal({ stopDetails }: MessageStream, blocks: readonly Block[], usage: Usage): AttemptEvent {
  const said = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const why = textOf(stopDetails["explanation"]);
  const parts = [said, said.includes(why) ? "" : why].filter((text) => text.trim() !== "").map((text): Part => ({ type: "text", text }));
  const category = textOf(stopDetails["category"]);
  return {
    type: "turn_end",
    reason: "refusal",
    message: { role: "assistant", parts },
    usage,
    warning: `The model declined (stop_reason refusal${category === "" ? "" : `, category ${category}`}).`,
  };
}

/** A call that was cut in its arguments, ours or the vendor's own, and a call of the vendor whose result never came. */
function isLost(block: Block, blocks: readonly Block[]): boolean {
  if (block.type === "tool_use") return !isWhole(argumentsText(block));
  return isServerCall(block) && !blocks.some(({ start }) => start["tool_use_id"] === block.callId);
}

function usageOf(responses: readonly MessageStream[], context: ClosingContext): Usage {
  return mergeUsage(...responses.map((response) => usageOfResponse(response, context)));
}

function usageOfResponse({ usage, isCounted, blocks }: MessageStream, context: ClosingContext): Usage {
  const estimate = (): Usage =>
    estimateUsage(
      context.request,
      blocks.flatMap((block) => [...partOf(block, context), ...cutArguments(block)]),
      context.price,
    );
  if (isCounted) return readUsage(usage, context.price) ?? estimate();
  if (usage["input_tokens"] === undefined) return estimate();
  // Input was counted when the response began, output never was.
  const counted = readUsage({ ...usage, output_tokens: estimate().outputTokens }, context.price);
  return counted === null ? estimate() : { ...counted, estimated: true };
}

/** What was written of arguments that could not be read. */
function cutArguments(block: Block): readonly Part[] {
  return block.type === "tool_use" && !isWhole(argumentsText(block)) ? [{ type: "text", text: block.json }] : [];
}

function lengthWarning(lost: readonly Block[], limit: number): string {
  const cut = `The response was cut at the limit of ${limit} output tokens (max_tokens).`;
  if (lost.length === 0) return cut;
  const names = lost.map(({ tool }) => tool).join(", ");
  return `${cut} ${lost.length === 1 ? "The call" : "The calls"} of ${names} ${lost.length === 1 ? "was" : "were"} cut off with it and left out.`;
}
