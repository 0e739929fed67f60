import { isLocalKey } from "@massgen/backend-kit";
import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { Settings } from "./options.js";
import { camelCase, thinkingConfig } from "./thinking.js";

type Params = Readonly<Record<string, JsonValue>>;

/** The user's options, sorted by where they stand in the body. */
export interface ParamFields {
  /** Fields of `generationConfig`. */
  readonly generation: JsonObject;
  /** Fields of the body itself. */
  readonly body: JsonObject;
}

/** Fields of the body itself; everything else belongs to `generationConfig`. */
const BODY_FIELDS = new Set(["safetySettings", "cachedContent", "labels", "serviceTier", "store"]);

/** Keys that are decided elsewhere, or that this API has nothing for. */
const LEFT_OUT = new Set([
  "messages",
  "contents",
  "tools",
  "toolConfig",
  "toolChoice",
  "functionCallingMode",
  "systemInstruction",
  "stream",
  "n",
  "candidateCount",
  "parallelToolCalls",
  "text",
  "maxTokens",
  "maxOutputTokens",
  "outputSchema",
  "extraBody",
  "reasoning",
  "thinking",
  "thinkingConfig",
  "includeThoughts",
  "stop",
]);

/** Known keys renamed, unknown ones passed on in camel case, local ones and `null` left out (docs/spec/backends.md 8). */
export function paramFields(
  request: TurnRequest,
  settings: Settings,
  { withoutThinking }: { readonly withoutThinking: boolean },
): ParamFields {
  const params: Params = { ...settings.params, ...request.options };
  const generation: Record<string, JsonValue> = {};
  const body: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(params)) {
    const name = camelCase(key);
    if (value === null || isLocalKey(key) || key.startsWith("gemini_backoff_") || LEFT_OUT.has(name)) continue;
    if (BODY_FIELDS.has(name)) body[name] = name === "safetySettings" ? safetySettings(value) : value;
    else generation[name] = value;
  }
  const limit = outputLimit(request, params);
  const stop = params["stop"] ?? null;
  const thinking = withoutThinking ? null : thinkingConfig(params, settings.model, settings.facts);
  if (limit !== null) generation["maxOutputTokens"] = limit;
  if (stop !== null) generation["stopSequences"] = Array.isArray(stop) ? stop : [stop];
  if (thinking !== null) generation["thinkingConfig"] = thinking;
  const schema = outputSchema(request, params);
  if (schema !== null) Object.assign(generation, { responseMimeType: "application/json", responseJsonSchema: schema });
  return { generation, body };
}

export function outputLimit({ maxOutputTokens }: TurnRequest, params: Params): JsonValue {
  return maxOutputTokens ?? params["max_tokens"] ?? params["max_output_tokens"] ?? null;
}

/** A schema for the answer forbids calls, so it is sent only with a request in which none may be made. */
export function outputSchema({ tools, toolChoice }: TurnRequest, params: Params): JsonObject | null {
  const schema = params["output_schema"];
  return isObject(schema) && (tools.length === 0 || toolChoice === "none") ? (schema as JsonObject) : null;
}

/** A map of categories is written out as the list the API wants. */
function safetySettings(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return Object.entries(value as JsonObject).map(([category, threshold]) => ({ category, threshold }));
}
