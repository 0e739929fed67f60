import type { JsonValue } from "@massgen/contracts";
import type { SimulatedMessage, SimulatedToolCall, SimulatedToolChoice } from "../request.js";
import { canonicalPrompt, type DescribedTool } from "./canonical-prompt.js";
import { contentText } from "./content-text.js";
import { asArray, asObject, asText } from "./json-access.js";
import type { JsonObject, WireReading } from "./wire.js";

export function readMessages(body: JsonObject): WireReading {
  const tools = asArray(body["tools"]).map(describedTool);
  const system = contentText(body["system"]);
  const messages = asArray(body["messages"]).flatMap((message) => readMessage(asObject(message) ?? {}));
  return {
    prompt: {
      model: asText(body["model"]),
      system,
      messages,
      tools: tools.map((tool) => tool.name),
      toolSchemas: Object.fromEntries(tools.map((tool) => [tool.name, tool.schema])),
      toolChoice: tools.length === 0 ? "none" : readToolChoice(body["tool_choice"]),
      stream: body["stream"] === true,
    },
    canonicalText: canonicalPrompt(tools, system, messages),
    includeUsage: true,
  };
}

/** Tools the vendor runs itself have a name and no schema. */
function describedTool(tool: JsonValue): DescribedTool {
  const fields = asObject(tool) ?? {};
  return { name: asText(fields["name"]), description: asText(fields["description"]), schema: fields["input_schema"] ?? {} };
}

/** Results of tools stand in a user message here; to the model they are messages of their own. */
function readMessage(message: JsonObject): readonly SimulatedMessage[] {
  const content = message["content"];
  const blocks = asArray(content).map((block) => asObject(block) ?? {});
  const text = contentText(typeof content === "string" ? content : blocks.filter((block) => block["type"] === "text"));
  if (message["role"] === "assistant") {
    const toolCalls = blocks.filter((block) => block["type"] === "tool_use").map(readCall);
    return [{ role: "assistant", text, ...(toolCalls.length === 0 ? {} : { toolCalls }) }];
  }
  const results = blocks
    .filter((block) => block["type"] === "tool_result")
    .map((block): SimulatedMessage => ({ role: "tool", text: contentText(block["content"]), toolCallId: asText(block["tool_use_id"]) }));
  return text === "" && results.length > 0 ? results : [...results, { role: "user", text }];
}

function readCall(block: JsonObject): SimulatedToolCall {
  return { id: asText(block["id"]), name: asText(block["name"]), arguments: JSON.stringify(block["input"] ?? {}) };
}

function readToolChoice(choice: JsonValue | undefined): SimulatedToolChoice {
  const { type, name } = asObject(choice) ?? {};
  if (type === "any") return "required";
  if (type === "tool") return { tool: asText(name) };
  return type === "none" ? "none" : "auto";
}
