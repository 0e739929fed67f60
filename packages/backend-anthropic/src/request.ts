import type { TurnRequest } from "@massgen/contracts";
import { markForCache } from "./cache-marks.js";
import { asJsonObject, type JsonObject } from "./json.js";
import type { Settings } from "./options.js";
import { mergedParams, type Params, paramFields } from "./params.js";
import type { Quirks } from "./quirks.js";
import { renderHistory, type WireMessage } from "./render-messages.js";
import { renderToolChoice, type WireTools, wireTools } from "./tools.js";

export interface BuiltRequest {
  readonly body: JsonObject;
  readonly messages: readonly WireMessage[];
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: WireTools;
  /** Tokens the model may write. */
  readonly maxTokens: number;
  readonly warnings: readonly string[];
  /** State of the quirks it was built with. */
  readonly version: number;
}

/**
 * The body of one request. Keys stand in one order, with what stays the same over a run first: model, tools, system,
 * messages. Two requests whose histories begin alike are alike byte for byte as far as that goes, but for the cache marks.
 */
export function buildRequest(request: TurnRequest, settings: Settings, quirks: Quirks): BuiltRequest {
  const params = mergedParams(request, settings);
  const tools = wireTools(request.tools, params);
  const history = renderHistory(request.messages, { model: settings.model, tools, quirks });
  const own = paramFields(request, params, settings, quirks);
  const extra = asJsonObject(params["extra_body"]);
  const marked =
    params["enable_prompt_cache"] === false
      ? { tools: tools.tools, system: history.system, messages: history.messages }
      : markForCache(tools.tools, history, "cache_control" in extra || "cache_control" in own.fields ? "leave" : "mark");
  const choice = tools.tools.length === 0 ? null : renderToolChoice(request.toolChoice, params, own.thinks, tools.toWire);
  const body: JsonObject = {
    model: settings.model,
    ...(marked.tools.length > 0 ? { tools: marked.tools } : {}),
    ...(marked.system.length > 0 ? { system: marked.system } : {}),
    messages: marked.messages as unknown as readonly JsonObject[],
    ...(choice === null || quirks.refused.has("tool_choice") ? {} : { tool_choice: choice }),
    max_tokens: own.maxTokens,
    ...own.fields,
    stream: true,
    ...extra,
  };
  const betas = [...new Set([...tools.betas, ...own.betas])];
  return {
    body,
    messages: marked.messages,
    headers: {
      ...(own.apiVersion === null ? {} : { "anthropic-version": own.apiVersion }),
      ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }),
    },
    tools,
    maxTokens: limitOf(extra, own.maxTokens),
    warnings: [...own.warnings, ...tools.warnings],
    version: quirks.version,
  };
}

/** The request that lets a paused response go on: what the model has said so far stands last, as it came. */
export function continued({ body, messages }: BuiltRequest, said: readonly JsonObject[], container: string | null): JsonObject {
  if (said.length === 0) return body;
  return {
    ...body,
    ...(container === null ? {} : { container }),
    messages: [...messages, { role: "assistant", content: said }] as unknown as readonly JsonObject[],
  };
}

function limitOf(extra: Params, maxTokens: number): number {
  return typeof extra["max_tokens"] === "number" ? extra["max_tokens"] : maxTokens;
}
