import { sendableText, type ToolNames } from "@massgen/backend-kit";
import type { JsonValue, ToolChoice, ToolSpec, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { Settings } from "./options.js";
import { outputSchema } from "./params.js";
import { geminiToolSchema } from "./tool-schema.js";

type Params = Readonly<Record<string, JsonValue>>;

export interface ToolFields {
  readonly tools: readonly JsonObject[];
  readonly toolConfig: JsonObject | null;
  /** Google's own tools that the user asked for and that cannot be offered now. */
  readonly leftOut: readonly string[];
}

/** Google's own tools, by the option that switches them on and the name people know. */
const OWN_TOOLS = [
  { option: "enable_web_search", name: "google_search_retrieval", field: "googleSearch" },
  { option: "enable_code_execution", name: "code_execution", field: "codeExecution" },
  { option: "enable_code_interpreter", name: "code_execution", field: "codeExecution" },
] as const;

/**
 * What the model may call. Models before Gemini 3 refuse functions beside Google's own tools and beside a schema for the
 * answer: the functions stay, unless none may be called now (docs/spec/backends.md 12.1).
 */
export function toolFields(request: TurnRequest, { params: given, facts }: Settings, names: ToolNames): ToolFields {
  const params: Params = { ...given, ...request.options };
  const wanted = OWN_TOOLS.filter(({ option }) => params[option] === true);
  const fields = [...new Set(wanted.map(({ field }) => field))];
  const mayCall = request.toolChoice !== "none" && request.tools.length > 0;
  const isAlone = facts.mixesTools || (fields.length === 0 && outputSchema(request, params) === null);
  const functions = mayCall || isAlone ? request.tools : [];
  const own = facts.mixesTools || functions.length === 0 ? fields : [];
  const tools = [
    ...(functions.length > 0 ? [{ functionDeclarations: functions.map((tool) => declaration(tool, names)) }] : []),
    ...own.map((field): JsonObject => ({ [field]: {} })),
  ];
  const calling = functions.length > 0 ? callingConfig(request.toolChoice, params, names) : null;
  const config: JsonObject = {
    ...(calling === null ? {} : { functionCallingConfig: calling }),
    ...(functions.length > 0 && own.length > 0 ? { includeServerSideToolInvocations: true } : {}),
  };
  return {
    tools,
    toolConfig: Object.keys(config).length === 0 ? null : config,
    leftOut: own.length === fields.length ? [] : [...new Set(wanted.map(({ name }) => name))],
  };
}

function declaration({ name, description, input }: ToolSpec, names: ToolNames): JsonObject {
  const schema = geminiToolSchema(input);
  return {
    name: names.toWire(name),
    description: sendableText(description),
    ...(schema === null ? {} : { parametersJsonSchema: schema }),
  };
}

const MODES: Readonly<Record<string, string>> = { auto: "AUTO", required: "ANY", any: "ANY", none: "NONE", validated: "VALIDATED" };

/** "auto" is said by saying nothing, unless the user has a wish of their own. */
function callingConfig(choice: ToolChoice, params: Params, names: ToolNames): JsonObject | null {
  if (choice === "required") return { mode: "ANY" };
  if (choice === "none") return { mode: "NONE" };
  if (choice !== "auto") return { mode: "ANY", allowedFunctionNames: [names.toWire(choice.tool)] };
  const wish = params["function_calling_mode"] ?? params["tool_choice"];
  if (typeof wish === "string") {
    const mode = MODES[wish.toLowerCase()];
    return mode === undefined ? null : { mode };
  }
  const named = isObject(wish) ? (isObject(wish["function"]) ? wish["function"]["name"] : wish["name"]) : undefined;
  return typeof named === "string" ? { mode: "ANY", allowedFunctionNames: [names.toWire(named)] } : null;
}
