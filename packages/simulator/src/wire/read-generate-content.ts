import type { JsonValue } from "@massgen/contracts";
import type { SimulatedMessage, SimulatedToolCall, SimulatedToolChoice } from "../request.js";
import { canonicalPrompt, type DescribedTool } from "./canonical-prompt.js";
import { contentText } from "./content-text.js";
import { asArray, asObject, asText } from "./json-access.js";
import type { JsonObject, WireReading } from "./wire.js";

/** The model and the way of answering stand in the path. */
export function readGenerateContent(body: JsonObject, path: string): WireReading {
  const tools = declaredFunctions(body).map(describedTool);
  const system = partsText(asObject(body["systemInstruction"])?.["parts"]);
  const messages = asArray(body["contents"]).flatMap((content, index, all) => readContent(content, index, all[index - 1]));
  return {
    prompt: {
      model: modelOf(path),
      system,
      messages,
      tools: tools.map((tool) => tool.name),
      toolSchemas: Object.fromEntries(tools.map((tool) => [tool.name, tool.schema])),
      toolChoice: tools.length === 0 ? "none" : readToolChoice(body["toolConfig"]),
      stream: path.endsWith(":streamGenerateContent"),
    },
    canonicalText: canonicalPrompt(tools, system, messages),
    includeUsage: true,
  };
}

export function modelOf(path: string): string {
  const model = /\/models\/([^/:]+):/.exec(path)?.[1] ?? "";
  try {
    return decodeURIComponent(model);
  } catch {
    return model;
  }
}

export function declaredFunctions(body: JsonObject): readonly JsonObject[] {
  return asArray(body["tools"]).flatMap((tool) =>
    asArray(asObject(tool)?.["functionDeclarations"]).map((declaration) => asObject(declaration) ?? {}),
  );
}

export function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  return asArray(asObject(content)?.["parts"]).map((part) => asObject(part) ?? {});
}

function describedTool(declaration: JsonObject): DescribedTool {
  const schema = declaration["parametersJsonSchema"] ?? declaration["parameters"] ?? {};
  return { name: asText(declaration["name"]), description: asText(declaration["description"]), schema };
}

/** A content with responses is one message for each of them. What was not numbered is numbered by its place. */
function readContent(content: JsonValue, index: number, before: JsonValue | undefined): readonly SimulatedMessage[] {
  const parts = partsOf(content);
  const text = partsText(asObject(content)?.["parts"]);
  if (asObject(content)?.["role"] === "model") {
    const toolCalls = callsOf(parts, index);
    return [toolCalls.length === 0 ? { role: "assistant", text } : { role: "assistant", text, toolCalls }];
  }
  const asked = callsOf(partsOf(before), index - 1);
  const results = parts.map((part) => asObject(part["functionResponse"])).filter((fields) => fields !== null);
  const answers = results.map((result, place): SimulatedMessage => {
    const toolCallId = asText(result["id"]) || asked[place]?.id || "";
    return { role: "tool", text: resultText(result["response"]), toolCallId };
  });
  return text === "" && answers.length > 0 ? answers : [...answers, { role: "user", text }];
}

function callsOf(parts: readonly JsonObject[], index: number): readonly SimulatedToolCall[] {
  const calls = parts.map((part) => asObject(part["functionCall"])).filter((fields) => fields !== null);
  return calls.map((call, place) => ({
    id: asText(call["id"]) || `call_${index}_${place}`,
    name: asText(call["name"]),
    arguments: JSON.stringify(call["args"] ?? {}),
  }));
}

function resultText(response: JsonValue | undefined): string {
  const fields = asObject(response) ?? {};
  const said = fields["result"] ?? fields["output"] ?? fields["error"] ?? fields;
  return typeof said === "string" ? said : JSON.stringify(said);
}

/** Thoughts are no text. */
function partsText(parts: JsonValue | undefined): string {
  return contentText(asArray(parts).filter((part) => asObject(part)?.["thought"] !== true));
}

function readToolChoice(config: JsonValue | undefined): SimulatedToolChoice {
  const calling = asObject(asObject(config)?.["functionCallingConfig"]) ?? {};
  const mode = asText(calling["mode"]).toLowerCase();
  if (mode === "none") return "none";
  if (mode !== "any") return "auto";
  const allowed = asArray(calling["allowedFunctionNames"]);
  return allowed.length === 1 ? { tool: asText(allowed[0]) } : "required";
}
