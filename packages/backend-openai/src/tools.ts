import { sendableText, type ToolNames, tidyToolSchema } from "@massgen/backend-kit";
import type { JsonValue, ToolChoice, ToolSpec } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { Vendor } from "./vendors.js";

type Params = Readonly<Record<string, JsonValue>>;

/** The tools the vendor runs itself, as the options turn them on; each once. */
export function builtInTools(params: Params, { builtInTools: known }: Vendor): readonly JsonObject[] {
  const tools = new Map<JsonValue | undefined, JsonObject>();
  for (const [option, tool] of Object.entries(known)) {
    if (params[option] !== true) continue;
    const size = tool["type"] === "web_search" ? params["search_context_size"] : undefined;
    tools.set(tool["type"], typeof size === "string" ? { ...tool, search_context_size: size } : tool);
  }
  return [...tools.values()];
}

/** Wishes for tools that this vendor does not run, for people. */
export function missingBuiltIns(params: Params, { name, builtInTools: known }: Vendor): readonly string[] {
  const wished = ["enable_web_search", "enable_x_search", "enable_code_interpreter", "enable_code_execution"];
  return wished
    .filter((option) => params[option] === true && known[option] === undefined)
    .map((option) => `"${option}" has no effect: ${name} has no such tool.`);
}

/** `strict: false`: the API would otherwise make every property required and refuse what it cannot. */
export function renderTool({ name, description, input }: ToolSpec, names: ToolNames): JsonObject {
  return {
    type: "function",
    name: names.toWire(name),
    description: sendableText(description),
    parameters: tidyToolSchema(input),
    strict: false,
  };
}

/** "auto" is said by saying nothing, unless the user wants something else then. */
export function toolChoiceField(choice: ToolChoice, params: Params, names: ToolNames): JsonObject {
  if (choice === "none" || choice === "required") return { tool_choice: choice };
  if (choice !== "auto") return { tool_choice: { type: "function", name: names.toWire(choice.tool) } };
  const wish = params["tool_choice"] ?? null;
  if (wish === null || wish === "auto") return {};
  // As Chat Completions writes it, one level deeper.
  const called = isObject(wish) ? wish["function"] : undefined;
  return { tool_choice: isObject(called) ? { type: "function", name: called["name"] as JsonValue } : wish };
}
