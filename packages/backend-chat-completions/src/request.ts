import { legalToolNames, sendableText, type ToolNames, tidyToolSchema } from "@massgen/backend-kit";
import type { ToolChoice, ToolSpec, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { Settings } from "./options.js";
import { paramFields } from "./params.js";
import type { Quirks } from "./quirks.js";
import { type RenderMemory, renderMessages } from "./render-messages.js";

export interface BuiltRequest {
  readonly body: JsonObject;
  readonly names: ToolNames;
  /** State of the quirks it was built with. */
  readonly version: number;
}

/**
 * The body of one request. Keys stand in one order, with what stays the same over a run first: model, tools, messages. Two
 * requests whose histories begin alike are alike byte for byte as far as that goes, which is what prompt caches compare.
 */
export function buildRequest(request: TurnRequest, settings: Settings, quirks: Quirks, memory?: RenderMemory): BuiltRequest {
  const { model, preset, params } = settings;
  const names = legalToolNames(request.tools.map((tool) => tool.name));
  const fields = paramFields(request, settings, quirks);
  const body: JsonObject = {
    model,
    ...(request.tools.length > 0 ? { tools: request.tools.map((tool) => renderTool(tool, names)) } : {}),
    messages: renderMessages(request.messages, { model, preset, names, quirks, ...(memory === undefined ? {} : { memory }) }),
    ...(request.tools.length > 0 ? callFields(request.toolChoice, settings, names) : {}),
    ...fields,
    ...(preset.dialect === "openrouter" ? { usage: { include: true } } : {}),
    stream: true,
    stream_options: { include_usage: true },
    ...extraBody(request.options["extra_body"] ?? params["extra_body"]),
  };
  return { body: without(body, quirks.refused), names, version: quirks.version };
}

function renderTool({ name, description, input }: ToolSpec, names: ToolNames): JsonObject {
  return {
    type: "function",
    function: { name: names.toWire(name), description: sendableText(description), parameters: tidyToolSchema(input) },
  };
}

/** What of the wish for a call can be said to this vendor; "auto" is said by saying nothing. */
function callFields(choice: ToolChoice, { preset: { toolChoice, parallelToolCalls }, params }: Settings, names: ToolNames): JsonObject {
  const parallel = parallelToolCalls ? params["parallel_tool_calls"] : undefined;
  return { ...toolChoiceField(), ...(typeof parallel === "boolean" ? { parallel_tool_calls: parallel } : {}) };

  function toolChoiceField(): JsonObject {
    if (choice === "auto") return params["tool_choice"] == null ? {} : { tool_choice: params["tool_choice"] };
    if (choice === "none") return toolChoice === "auto_only" ? {} : { tool_choice: "none" };
    if (toolChoice === "auto_only" || toolChoice === "auto_and_none") return {};
    if (choice === "required" || toolChoice === "no_named") return { tool_choice: "required" };
    return { tool_choice: { type: "function", function: { name: names.toWire(choice.tool) } } };
  }
}

function extraBody(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

function without(body: JsonObject, refused: ReadonlySet<string>): JsonObject {
  return refused.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([key]) => !refused.has(key)));
}
