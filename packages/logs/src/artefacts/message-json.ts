import type { JsonValue, Message, Part, ToolResult } from "@massgen/contracts";

/** The text of a part for people; what is no text is named. */
function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "tool_call":
      return `[call ${part.tool}]`;
    case "media":
      return `[${part.mediaType}]`;
  }
}

export const partsText = (parts: readonly Part[]): string => parts.map(partText).join("");
export const resultText = (result: ToolResult): string => partsText(result.output.parts);

/** A message with plain values only. Pictures and vendors' opaque payloads are named, not copied. */
export function messageJson(message: Message): JsonValue {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: partsText(message.parts) };
    case "assistant": {
      const calls = message.parts.flatMap((part) =>
        part.type === "tool_call" ? [{ id: part.callId, name: part.tool, arguments: part.input }] : [],
      );
      const text = message.parts
        .filter((part) => part.type === "text")
        .map(partText)
        .join("");
      return { role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case "tool":
      return {
        role: "tool",
        results: message.results.map((result) => ({
          call_id: result.callId,
          content: resultText(result),
          is_error: result.output.isError,
        })),
      };
  }
}
