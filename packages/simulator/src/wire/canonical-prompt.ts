import type { JsonValue } from "@massgen/contracts";
import type { SimulatedMessage } from "../request.js";

export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonValue;
}

/**
 * Everything the model reads, as one text in the order in which vendors hash it for their prompt caches: tools, system,
 * conversation. Two prompts share as much cache as their canonical texts share beginning.
 */
export function canonicalPrompt(tools: readonly DescribedTool[], system: string, messages: readonly SimulatedMessage[]): string {
  let text = "";
  for (const tool of tools) text += `<tool> ${tool.name}\n${tool.description}\n${JSON.stringify(tool.schema)}\n`;
  if (system !== "") text += `<system>\n${system}\n`;
  for (const message of messages) {
    text += `<${message.role}${message.toolCallId === undefined ? "" : ` ${message.toolCallId}`}>\n${message.text}\n`;
    for (const call of message.toolCalls ?? []) text += `<call> ${call.id} ${call.name} ${call.arguments}\n`;
  }
  return text;
}
