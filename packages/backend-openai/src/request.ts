import { legalToolNames, type ToolNames } from "@massgen/backend-kit";
import type { BackendCapabilities, JsonValue, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject, listOf, textOf } from "./json.js";
import { isPlainModel } from "./model-family.js";
import type { Settings } from "./options.js";
import { paramFields, paramsOf } from "./params.js";
import type { Quirks } from "./quirks.js";
import { renderInput } from "./render-input.js";
import { builtInTools, missingBuiltIns, renderTool, toolChoiceField } from "./tools.js";

export interface BuiltRequest {
  readonly body: JsonObject;
  readonly names: ToolNames;
  /** What of the user's wishes is not sent, for people. */
  readonly warnings: readonly string[];
  /** State of the quirks it was built with. */
  readonly version: number;
}

/**
 * The body of one request. Keys stand in one order, with what stays the same over a run first: model, tools, instructions,
 * input. Two requests whose histories begin alike are alike byte for byte as far as that goes, which is what prompt caches
 * compare.
 */
export function buildRequest(request: TurnRequest, settings: Settings, quirks: Quirks): BuiltRequest {
  const { model, vendor } = settings;
  const params = paramsOf(request, settings);
  const names = legalToolNames(request.tools.map((tool) => tool.name));
  const builtIns = builtInTools(params, vendor);
  const tools = [...builtIns, ...request.tools.map((tool) => renderTool(tool, names))];
  const { fields, warnings } = paramFields(request, settings, quirks);
  const isStored = fields["store"] === true;
  const { instructions, input } = renderInput(request.messages, {
    model,
    vendor,
    names,
    taken: inputKinds(settings),
    systemText: quirks.refused.has("instructions") ? "message" : vendor.systemText,
    mayReturn: (item) => mayReturn(item, isStored, quirks),
  });
  const body: JsonObject = {
    model,
    ...(tools.length > 0 ? { tools } : {}),
    ...(instructions === null ? {} : { instructions }),
    input,
    ...(tools.length > 0 ? callFields(request, params, names, builtIns.length > 0) : {}),
    ...fields,
    ...includeField(params, builtIns, settings),
    stream: true,
    ...(isObject(params["extra_body"]) ? (params["extra_body"] as JsonObject) : {}),
  };
  return {
    body: without(body, quirks.refused),
    names,
    warnings: [...warnings, ...missingBuiltIns(params, vendor)],
    version: quirks.version,
  };
}

/** Media a model takes besides text. */
export function inputKinds({ model, vendor }: Settings): BackendCapabilities["input"] {
  return ["text", "image", ...(vendor.pdf ? (["pdf"] as const) : []), ...(/audio/i.test(model) ? (["audio"] as const) : [])];
}

/** A thought that is not stored with the vendor can only be read with its encrypted content. */
function mayReturn(item: JsonObject, isStored: boolean, { returnsReasoning, refusedPayloads }: Quirks): boolean {
  if (item["type"] !== "reasoning") return true;
  const content = textOf(item["encrypted_content"]);
  return content === "" ? isStored : returnsReasoning && !refusedPayloads.has(content);
}

/** With a tool of its own the vendor makes one call at a time (docs/spec/backends.md 9.1). */
function callFields({ toolChoice }: TurnRequest, params: JsonObject, names: ToolNames, hasBuiltIns: boolean): JsonObject {
  const parallel = hasBuiltIns ? false : params["parallel_tool_calls"];
  return { ...toolChoiceField(toolChoice, params, names), ...(typeof parallel === "boolean" ? { parallel_tool_calls: parallel } : {}) };
}

function includeField(params: JsonObject, builtIns: readonly JsonObject[], { model, vendor }: Settings): JsonObject {
  const include = new Set<JsonValue>([
    ...(isPlainModel(model) ? [] : ["reasoning.encrypted_content"]),
    ...builtIns.flatMap((tool) => vendor.includes[textOf(tool["type"])] ?? []),
    ...(listOf(params["include"]) as readonly JsonValue[]),
  ]);
  return include.size === 0 ? {} : { include: [...include] };
}

function without(body: JsonObject, refused: ReadonlySet<string>): JsonObject {
  return refused.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([key]) => !refused.has(key)));
}
