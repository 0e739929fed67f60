import { parseArguments } from "@massgen/backend-kit";
import type { JsonValue, Part } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import { argumentsText, type Block, inputOf, isServerCall } from "./message-stream.js";
import { opaquePart } from "./opaque-block.js";

export interface PartContext {
  readonly model: string;
  inputFromWire(tool: string, input: JsonValue): JsonValue;
}

/** A finished block as a part of the message; nothing for one that says nothing. */
export function partOf(block: Block, { model, inputFromWire }: PartContext): readonly Part[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      // Without its seal a thought is refused when it comes back: it is kept for people only.
      if (block.signature !== "") return [opaquePart(block.text, wireBlock(block), model)];
      return block.text === "" ? [] : [{ type: "reasoning", text: block.text }];
    case "tool_use": {
      const { input, ...problem } = parseArguments(argumentsText(block));
      return [{ type: "tool_call", callId: block.callId, tool: block.tool, input: inputFromWire(block.tool, input), ...problem }];
    }
    default:
      return block.type === "" ? [] : [opaquePart("", wireBlock(block), model)];
  }
}

/** What the model said in a response that paused, as it is to be sent back: everything, as it came. */
export function wireContent(blocks: readonly Block[]): readonly JsonObject[] {
  return blocks
    .filter(
      (block) =>
        block.type !== "" && !(block.type === "text" && !/\S/.test(block.text)) && !(block.type === "thinking" && block.signature === ""),
    )
    .map(wireBlock);
}

function wireBlock(block: Block): JsonObject {
  const { type, start, text, signature, citations } = block;
  if (type === "text") return { ...start, text, ...(citations.length > 0 ? { citations } : {}) };
  if (type === "thinking") return { ...start, thinking: text, signature };
  return isServerCall(block) || type === "tool_use" ? { ...start, input: inputOf(block) } : start;
}
