import type { JsonValue } from "@massgen/contracts";
import type { SimulatedMessage, SimulatedToolCall, SimulatedToolChoice } from "../request.js";
import { canonicalPrompt, type DescribedTool } from "./canonical-prompt.js";
import { contentText } from "./content-text.js";
import { asArray, asObject, asText } from "./json-access.js";
import type { JsonObject, WireReading } from "./wire.js";

export function readChatCompletions(body: JsonObject): WireReading {
  const tools = asArray(body["tools"]).map(describedTool);
  const all = asArray(body["messages"]).map((message) => asObject(message) ?? {});
  const system = all
    .filter(isSystem)
    .map((message) => contentText(message["content"]))
    .join("\n\n");
  const messages = all.filter((message) => !isSystem(message)).map(readMessage);
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
    includeUsage: asObject(body["stream_options"])?.["include_usage"] === true,
  };
}

const isSystem = (message: JsonObject): boolean => message["role"] === "system" || message["role"] === "developer";

function describedTool(tool: JsonValue): DescribedTool {
  const definition = asObject(asObject(tool)?.["function"]) ?? {};
  return { name: asText(definition["name"]), description: asText(definition["description"]), schema: definition["parameters"] ?? {} };
}

function readMessage(message: JsonObject): SimulatedMessage {
  const text = contentText(message["content"]);
  if (message["role"] === "tool") return { role: "tool", text, toolCallId: asText(message["tool_call_id"]) };
  if (message["role"] !== "assistant") return { role: "user", text };
  const calls = asArray(message["tool_calls"]).map(readCall);
  return calls.length === 0 ? { role: "assistant", text } : { role: "assistant", text, toolCalls: calls };
}

function readCall(call: JsonValue): SimulatedToolCall {
  const fields = asObject(call) ?? {};
  const called = asObject(fields["function"]) ?? {};
  return { id: asText(fields["id"]), name: asText(called["name"]), arguments: asText(called["arguments"]) };
}

function readToolChoice(choice: JsonValue | undefined): SimulatedToolChoice {
  if (choice === "required" || choice === "none") return choice;
  const tool = asText(asObject(asObject(choice)?.["function"])?.["name"]);
  return tool === "" ? "auto" : { tool };
}
