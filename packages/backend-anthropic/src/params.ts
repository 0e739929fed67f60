import { isLocalKey } from "@massgen/backend-kit";
import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { asJsonObject, isObject, type JsonObject } from "./json.js";
import { VERSION_WITH_SAMPLING } from "./models.js";
import type { Settings } from "./options.js";
import type { Quirks } from "./quirks.js";
import { thinkingFields, thinks } from "./thinking.js";
import { closedSchema } from "./tools.js";

export type Params = Readonly<Record<string, JsonValue>>;

/** What the user's options come to in a request. */
export interface ParamFields {
  /** In a fixed order: known keys renamed, unknown ones passed on, local ones and `null` left out. */
  readonly fields: JsonObject;
  readonly maxTokens: number;
  readonly thinks: boolean;
  /** Of the header `anthropic-beta`. */
  readonly betas: readonly string[];
  /** `null`: the SDK's own. */
  readonly apiVersion: string | null;
  readonly warnings: readonly string[];
}

/** The API demands a limit; a whole answer with its thoughts fits into this one. */
const DEFAULT_MAX_TOKENS = 32_000;

/** The user's options for this request: its own win over those of the backend. */
export function mergedParams(request: TurnRequest, settings: Settings): Params {
  return Object.fromEntries(Object.entries({ ...settings.params, ...request.options }).filter(([, value]) => value !== null));
}

/** docs/spec/backends.md 11.1. `extra_body` is not in it: it goes over everything, last. */
export function paramFields(request: TurnRequest, params: Params, settings: Settings, quirks: Quirks): ParamFields {
  const { maxTokens, warning } = outputLimit(request, params, settings);
  const { thinking, effort, warnings } = thinkingFields(params, settings.traits, maxTokens);
  const sampling = samplingFields(params, thinks(thinking), settings);
  const outputConfig = {
    ...asJsonObject(params["output_config"]),
    ...(effort === null ? {} : { effort }),
    ...outputFormat(request, params),
  };
  const fields: JsonObject = {
    ...passedOn(params),
    ...stopSequences(params),
    ...(params["user"] !== undefined && params["metadata"] === undefined ? { metadata: { user_id: params["user"] } } : {}),
    ...sampling.fields,
    ...(thinking === null ? {} : { thinking }),
    ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
  };
  return {
    fields: Object.fromEntries(Object.entries(fields).filter(([key]) => !quirks.refused.has(key))),
    maxTokens,
    thinks: thinks(thinking) && !quirks.refused.has("thinking"),
    betas: textsOf(params["betas"]),
    apiVersion: Object.keys(sampling.fields).length === 0 ? null : VERSION_WITH_SAMPLING,
    warnings: [...(warning === null ? [] : [warning]), ...warnings, ...sampling.warnings],
  };
}

/** Fields that are renamed, decided by the adapter, or of no meaning here. */
const HANDLED = new Set([
  "messages",
  "system",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "tool_search_variant",
  "stream",
  "stream_options",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "stop_sequences",
  "user",
  "reasoning",
  "thinking",
  "text",
  // Settings of OpenRouter's web search.
  "engine",
  "max_results",
  "search_prompt",
  "search_context_size",
  "betas",
  "output_config",
  "output_schema",
  "extra_body",
]);

function passedOn(params: Params): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !isLocalKey(key) && !HANDLED.has(key)));
}

function outputLimit({ maxOutputTokens }: TurnRequest, params: Params, { model, traits }: Settings) {
  const written = typeof params["max_tokens"] === "number" ? params["max_tokens"] : null;
  const wanted = maxOutputTokens ?? written ?? DEFAULT_MAX_TOKENS;
  const most = traits.maxOutputTokens;
  if (most === null || wanted <= most) return { maxTokens: wanted, warning: null };
  const isAsked = maxOutputTokens !== null || written !== null;
  return {
    maxTokens: most,
    warning: isAsked ? `"${model}" writes at most ${most} tokens in one response; max_tokens ${wanted} is lowered to that.` : null,
  };
}

const SAMPLING = ["temperature", "top_p", "top_k"];

/** Newer models refuse these even with the values they would have taken anyway (docs/spec/backends.md 11.2). */
function samplingFields(params: Params, isThinking: boolean, { model, traits }: Settings) {
  const written = SAMPLING.filter((name) => params[name] !== undefined);
  if (written.length === 0) return { fields: {}, warnings: [] };
  const left = `${written.join(" and ")} ${written.length === 1 ? "is" : "are"} left out`;
  if (!traits.sampling)
    return { fields: {}, warnings: [`${left}: "${model}" is not known to take it. To send it all the same, put it into extra_body.`] };
  if (isThinking) return { fields: {}, warnings: [`${left}: "${model}" does not take it while it thinks.`] };
  return { fields: Object.fromEntries(written.map((name) => [name, params[name]!])), warnings: [] };
}

function stopSequences(params: Params): JsonObject {
  const written = params["stop_sequences"] ?? params["stop"];
  const list = typeof written === "string" ? [written] : textsOf(written);
  return list.length === 0 ? {} : { stop_sequences: list };
}

/** A schema for the answer forbids calls, so it is sent only with a request in which none may be made. */
function outputFormat({ tools, toolChoice }: TurnRequest, params: Params): JsonObject {
  const schema = params["output_schema"];
  if (!isObject(schema) || (tools.length > 0 && toolChoice !== "none")) return {};
  return { format: { type: "json_schema", schema: closedSchema(schema as JsonObject) } };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
