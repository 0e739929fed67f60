import { isLocalKey } from "@massgen/backend-kit";
import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { hasFreeEffort, isReasoningModel, summarisesReasoning } from "./model-family.js";
import type { Settings } from "./options.js";
import type { Quirks } from "./quirks.js";
import { isStrictSchema } from "./strict-schema.js";

type Params = Readonly<Record<string, JsonValue>>;

export interface ParamFields {
  readonly fields: JsonObject;
  /** What of the user's wishes is not sent, for people. */
  readonly warnings: readonly string[];
}

/** The user's options with those of the request on top. */
export function paramsOf({ options }: TurnRequest, { params }: Settings): Params {
  return { ...params, ...options };
}

/**
 * The user's options as fields of the body, in a fixed order: known keys renamed, unknown ones passed on, local ones and
 * `null` left out (docs/spec/backends.md 8). `extra_body` is not in it: it goes over everything, last.
 */
export function paramFields(request: TurnRequest, settings: Settings, quirks: Quirks): ParamFields {
  const params = paramsOf(request, settings);
  const reasoning = reasoningField(params, settings.model, quirks);
  const refusesSampling = isReasoningModel(settings.model) && !(hasFreeEffort(settings.model) && reasoning["effort"] === "none");
  const fields: Record<string, JsonValue> = {};
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(params)) {
    if (value === null || isLocalKey(key) || DECIDED_HERE.has(key)) continue;
    if (UNKNOWN_HERE.has(key)) warnings.push(`"${key}" was left out: the Responses API has no such parameter.`);
    else if (refusesSampling && SAMPLING.has(key))
      warnings.push(`"${key}" was left out: "${settings.model}" takes no sampling parameters.`);
    else if (quirks.refused.has(key)) warnings.push(`"${key}" was left out: ${settings.vendorName} refused it for "${settings.model}".`);
    else fields[key] = value;
  }
  const text = textField(request, params);
  return {
    fields: {
      ...fields,
      ...outputLimit(request, params),
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
      ...(Object.keys(text).length === 0 ? {} : { text }),
      // Nothing is left with the vendor unless the user wants it there: the history is ours.
      store: params["store"] === true,
    },
    warnings,
  };
}

/** Fields the adapter writes itself, so that a key of the same name must not write them twice. */
const DECIDED_HERE: ReadonlySet<string> = new Set([
  "input",
  "instructions",
  "messages",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "include",
  "store",
  "stream",
  "stream_options",
  // Each request carries the whole history, and its answer is streamed.
  "background",
  "conversation",
  "previous_response_id",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "reasoning",
  "reasoning_effort",
  "text",
  "output_schema",
  "extra_body",
  "search_context_size",
]);
const UNKNOWN_HERE: ReadonlySet<string> = new Set(["stop", "top_k", "n"]);
const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p", "top_logprobs", "presence_penalty", "frequency_penalty"]);

function outputLimit({ maxOutputTokens }: TurnRequest, params: Params): JsonObject {
  const limit = maxOutputTokens ?? params["max_output_tokens"] ?? params["max_completion_tokens"] ?? params["max_tokens"] ?? null;
  return limit === null ? {} : { max_output_tokens: limit };
}

function reasoningField(params: Params, model: string, { refused }: Quirks): JsonObject {
  const given = params["reasoning"] ?? params["reasoning_effort"] ?? null;
  const wish = typeof given === "string" ? { effort: given } : isObject(given) ? (given as JsonObject) : {};
  const defaults = {
    ...(hasFreeEffort(model) ? { effort: "medium" } : {}),
    ...(summarisesReasoning(model) ? { summary: "auto" } : {}),
  };
  const entries = Object.entries({ ...defaults, ...wish });
  return Object.fromEntries(entries.filter(([key, value]) => value !== null && !refused.has(`reasoning.${key}`)));
}

/** `text` as the user wrote it. A schema for the answer forbids calls, so it is sent only with a request in which none may be made. */
function textField({ tools, toolChoice }: TurnRequest, params: Params): JsonObject {
  const text = isObject(params["text"]) ? (params["text"] as JsonObject) : {};
  const schema = params["output_schema"];
  if (!isObject(schema) || (tools.length > 0 && toolChoice !== "none")) return text;
  return { ...text, format: { type: "json_schema", name: "answer", schema: schema as JsonObject, strict: isStrictSchema(schema) } };
}
