import type { JsonValue } from "@massgen/contracts";
import type { SimulatedMessage, SimulatedToolCall, SimulatedToolChoice } from "../request.js";
import { canonicalPrompt, type DescribedTool } from "./canonical-prompt.js";
import { contentText } from "./content-text.js";
import { asArray, asObject, asText } from "./json-access.js";
import type { JsonObject, WireReading } from "./wire.js";

export function readResponses(body: JsonObject): WireReading {
  const tools = asArray(body["tools"]).flatMap(describedTool);
  const items = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : asArray(body["input"]);
  const input = items.map((item): JsonObject => asObject(item) ?? {});
  const system = [asText(body["instructions"]), ...input.filter(isSystem).map((item) => contentText(item["content"]))]
    .filter((text) => text !== "")
    .join("\n\n");
  const messages = readItems(input.filter((item) => !isSystem(item)));
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

const isSystem = ({ role }: JsonObject): boolean => role === "system" || role === "developer";

/** Tools that the vendor runs itself are none of the model's functions. */
function describedTool(tool: JsonValue): readonly DescribedTool[] {
  const fields = asObject(tool) ?? {};
  if (fields["type"] !== "function") return [];
  return [{ name: asText(fields["name"]), description: asText(fields["description"]), schema: fields["parameters"] ?? {} }];
}

/** The items of one turn of the model become one message again, with its text and all its calls. */
function readItems(items: readonly JsonObject[]): readonly SimulatedMessage[] {
  const messages: SimulatedMessage[] = [];
  const addToAssistant = (text: string, calls: readonly SimulatedToolCall[]): void => {
    const last = messages.at(-1);
    const before = last?.role === "assistant" ? last : null;
    if (before !== null) messages.pop();
    const all = [...(before?.toolCalls ?? []), ...calls];
    const joined = [before?.text ?? "", text].filter((part) => part !== "").join("\n");
    messages.push({ role: "assistant", text: joined, ...(all.length === 0 ? {} : { toolCalls: all }) });
  };
  for (const item of items) {
    if (item["type"] === "function_call") addToAssistant("", [readCall(item)]);
    else if (item["type"] === "function_call_output")
      messages.push({ role: "tool", text: contentText(item["output"]), toolCallId: asText(item["call_id"]) });
    else if (item["role"] === "assistant") addToAssistant(contentText(item["content"]), []);
    else if (item["role"] === "user") messages.push({ role: "user", text: contentText(item["content"]) });
  }
  return messages;
}

function readCall(item: JsonObject): SimulatedToolCall {
  return { id: asText(item["call_id"]), name: asText(item["name"]), arguments: asText(item["arguments"]) };
}

function readToolChoice(choice: JsonValue | undefined): SimulatedToolChoice {
  if (choice === "required" || choice === "none") return choice;
  const tool = asText(asObject(choice)?.["name"]);
  return tool === "" ? "auto" : { tool };
}
