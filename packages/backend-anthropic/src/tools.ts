import { legalToolNames, sendableText, tidyToolSchema } from "@massgen/backend-kit";
import type { JsonSchema, JsonValue, ToolChoice, ToolSpec } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { betas, serverTools } from "./models.js";
import { legalPropertyNames, type PropertyNames } from "./property-names.js";

type Params = Readonly<Record<string, JsonValue>>;

/** The tools of one request, and the way back from what the model calls them. */
export interface WireTools {
  readonly tools: readonly JsonObject[];
  readonly betas: readonly string[];
  readonly warnings: readonly string[];
  toWire(tool: string): string;
  fromWire(name: string): string;
  inputToWire(tool: string, input: JsonValue): JsonValue;
  inputFromWire(tool: string, input: JsonValue): JsonValue;
}

/** Tools that run at the vendor come first, then the others in their order: a list that stays the same from request to request. */
export function wireTools(specs: readonly ToolSpec[], params: Params): WireTools {
  const names = legalToolNames(specs.map((spec) => spec.name));
  const properties = new Map<string, PropertyNames>();
  const taken = new Set(specs.map((spec) => names.toWire(spec.name)));
  const wanted = wantedServerTools(params);
  const served = wanted.filter((tool) => !taken.has(tool.name));
  const search = served.some((tool) => tool.name.startsWith("tool_search"));
  const tools = specs.map((spec): JsonObject => {
    const own = legalPropertyNames(tidyToolSchema(spec.input));
    properties.set(spec.name, own);
    const isStrict = params["enable_strict_tool_use"] === true;
    return {
      name: names.toWire(spec.name),
      ...(spec.description.trim() === "" ? {} : { description: sendableText(spec.description) }),
      input_schema: isStrict ? closedSchema(own.schema) : own.schema,
      ...(isStrict ? { strict: true } : {}),
      ...(search && mayBeSearched(spec) ? { defer_loading: true } : {}),
    };
  });
  return {
    tools: [...served, ...tools],
    betas: [
      ...(served.some((tool) => tool.name === "code_execution") ? [betas.codeExecution] : []),
      ...(search ? [betas.advancedToolUse] : []),
    ],
    warnings: [
      ...wanted
        .filter((tool) => taken.has(tool.name))
        .map(({ name }) => `The vendor's own ${name} is left out: another tool has that name.`),
      ...(params["enable_programmatic_flow"] === true ? ["enable_programmatic_flow is not supported yet; tools are called directly."] : []),
    ],
    toWire: names.toWire,
    fromWire: names.fromWire,
    inputToWire: (tool, input) => properties.get(tool)?.toWire(input) ?? input,
    inputFromWire: (tool, input) => properties.get(tool)?.fromWire(input) ?? input,
  };
}

type ServerTool = { readonly type: string; readonly name: string };

function wantedServerTools(params: Params): readonly ServerTool[] {
  const isOn = (...keys: readonly string[]): boolean => keys.some((key) => params[key] === true);
  return [
    ...(isOn("enable_web_search") ? [serverTools.webSearch] : []),
    ...(isOn("enable_code_execution", "enable_code_interpreter") ? [serverTools.codeExecution] : []),
    ...(isOn("enable_tool_search")
      ? [params["tool_search_variant"] === "bm25" ? serverTools.toolSearchBm25 : serverTools.toolSearchRegex]
      : []),
  ];
}

/** Workflow tools are always wanted; only the many tools of servers are worth a search. */
const mayBeSearched = ({ name }: ToolSpec): boolean => /^(?:mcp__|custom_tool__)/.test(name);

/** No object of the schema takes properties it does not name. */
export function closedSchema(schema: JsonSchema): JsonSchema {
  return close(schema) as JsonSchema;
}

function close(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(close);
  if (!isObject(value)) return value;
  const fields = value as JsonObject;
  const inner = Object.fromEntries(
    Object.entries(fields).map(([key, part]) => [key, key === "enum" || key === "const" ? part : close(part)]),
  );
  return fields["type"] === "object" && isObject(fields["properties"]) ? { ...inner, additionalProperties: false } : inner;
}

/**
 * `tool_choice` of the body, `null` to leave it out. A model that thinks takes only "auto" and "none"
 * (docs/spec/backends.md 11.4).
 */
export function renderToolChoice(choice: ToolChoice, params: Params, thinks: boolean, toWire: (tool: string) => string): JsonObject | null {
  const wanted = choice === "auto" ? writtenChoice(params["tool_choice"], toWire) : choiceOf(choice, toWire);
  const allowed = thinks && (wanted.type === "any" || wanted.type === "tool") ? { type: "auto" } : wanted;
  if (allowed.type === "none") return allowed;
  const single = params["parallel_tool_calls"] === false || params["disable_parallel_tool_use"] === true;
  if (single) return { ...allowed, disable_parallel_tool_use: true };
  return allowed.type === "auto" ? null : allowed;
}

type WireChoice = { readonly type: string; readonly name?: string };

function choiceOf(choice: ToolChoice, toWire: (tool: string) => string): WireChoice {
  if (typeof choice !== "string") return { type: "tool", name: toWire(choice.tool) };
  return { type: choice === "required" ? "any" : choice };
}

/** The user's own choice, as this vendor or as OpenAI spells it. */
function writtenChoice(value: JsonValue | undefined, toWire: (tool: string) => string): WireChoice {
  if (value === "required" || value === "any") return { type: "any" };
  if (value === "none") return { type: "none" };
  if (!isObject(value)) return { type: "auto" };
  const called = isObject(value["function"]) ? value["function"]["name"] : value["name"];
  if (typeof called === "string") return { type: "tool", name: toWire(called) };
  return { type: value["type"] === "any" || value["type"] === "none" ? value["type"] : "auto" };
}
