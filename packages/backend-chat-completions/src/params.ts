import { isLocalKey } from "@massgen/backend-kit";
import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { isOpenAiReasoningModel } from "./model-family.js";
import type { Settings } from "./options.js";
import type { Quirks } from "./quirks.js";

type Params = Readonly<Record<string, JsonValue>>;

/**
 * The user's options as fields of the body, in a fixed order: known keys renamed, unknown ones passed on, local ones and
 * `null` left out (docs/spec/backends.md 8). `extra_body` is not in it: it goes over everything, last.
 */
export function paramFields(request: TurnRequest, settings: Settings, quirks: Quirks): JsonObject {
  const params: Params = { ...settings.params, ...request.options };
  const fields: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(params)) {
    if (value === null || isLocalKey(key) || key in RENAMED || key in DECIDED_HERE || quirks.refused.has(key)) continue;
    fields[key] = value;
  }
  for (const [key, rename] of Object.entries(RENAMED)) {
    const value = params[key];
    if (value !== undefined && value !== null) Object.assign(fields, rename(value, settings));
  }
  return { ...fields, ...outputLimit(request, params, settings, quirks), ...outputSchema(request, params), ...webSearch(params, settings) };
}

/** Fields the adapter writes itself, so that a key of the same name must not write them twice, and keys of the Responses API. */
const DECIDED_HERE: Readonly<Record<string, true>> = {
  messages: true,
  tools: true,
  tool_choice: true,
  parallel_tool_calls: true,
  stream: true,
  stream_options: true,
  n: true,
  max_tokens: true,
  max_completion_tokens: true,
  output_schema: true,
  extra_body: true,
  text: true,
};

const RENAMED: Readonly<Record<string, (value: JsonValue, settings: Settings) => JsonObject>> = {
  reasoning(value, { preset }) {
    if (preset.dialect === "openrouter" || !isObject(value)) return { reasoning: value };
    return typeof value["effort"] === "string" ? { reasoning_effort: value["effort"] } : {};
  },
};

function outputLimit({ maxOutputTokens }: TurnRequest, params: Params, { model, preset }: Settings, quirks: Quirks): JsonObject {
  const limit = maxOutputTokens ?? params["max_completion_tokens"] ?? params["max_tokens"] ?? null;
  if (limit === null) return {};
  const openAi = preset.dialect === "openai" || preset.dialect === "azure";
  const isNew = quirks.newTokenLimit || params["max_completion_tokens"] != null || (openAi && isOpenAiReasoningModel(model));
  return isNew ? { max_completion_tokens: limit } : { max_tokens: limit };
}

/** A schema for the answer forbids calls, so it is sent only with a request in which none may be made. */
function outputSchema({ tools, toolChoice }: TurnRequest, params: Params): JsonObject {
  const schema = params["output_schema"];
  if (!isObject(schema) || (tools.length > 0 && toolChoice !== "none")) return {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema: schema as JsonObject } } };
}

function webSearch(params: Params, { preset }: Settings): JsonObject {
  if (preset.dialect !== "openrouter" || params["enable_web_search"] !== true) return {};
  return { plugins: [{ id: "web", max_results: 5 }] };
}
