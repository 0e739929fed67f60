import type { GenerateContentConfig, GenerateContentParameters } from "@google/genai/web";
import type { ToolNames } from "@massgen/backend-kit";
import type { JsonValue, TurnRequest } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import type { Settings } from "./options.js";
import { outputLimit, paramFields } from "./params.js";
import type { Quirks, Repairs } from "./quirks.js";
import { renderContents } from "./render-contents.js";
import { geminiToolNames } from "./tool-names.js";
import { toolFields } from "./tools.js";

export interface BuiltRequest {
  readonly params: GenerateContentParameters & { readonly config: GenerateContentConfig };
  readonly names: ToolNames;
  /** Google's own tools that could not be offered. */
  readonly leftOut: readonly string[];
  readonly outputLimit: number | null;
}

/** What the SDK knows of `generationConfig` and passes on unchanged; the rest goes into the body behind its back. */
const SDK_FIELDS = new Set([
  "temperature",
  "topP",
  "topK",
  "maxOutputTokens",
  "stopSequences",
  "responseLogprobs",
  "logprobs",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "responseMimeType",
  "responseJsonSchema",
  "responseModalities",
  "mediaResolution",
  "thinkingConfig",
]);

/** One request as the SDK takes it; the contents and tools in it are those of the wire. */
export function buildRequest(request: TurnRequest, settings: Settings, quirks: Quirks, repairs: Repairs): BuiltRequest {
  const { model, facts, params } = settings;
  const names = geminiToolNames(request.tools.map((tool) => tool.name));
  const { withoutSystem } = quirks;
  const { systemInstruction, contents } = renderContents(request.messages, { names, facts, withoutSystem, ...repairs });
  const { tools, toolConfig, leftOut } = toolFields(request, settings, names);
  const { generation, body } = paramFields(request, settings, quirks);
  const known = Object.entries(generation).filter(([key]) => SDK_FIELDS.has(key));
  const unknown = Object.entries(generation).filter(([key]) => !SDK_FIELDS.has(key));
  const ours: JsonObject = { ...body, ...(unknown.length > 0 ? { generationConfig: Object.fromEntries(unknown) } : {}) };
  const users = request.options["extra_body"] ?? params["extra_body"];
  const extraBody = isObject(users) ? merged(ours, users as JsonObject) : ours;
  const config = {
    ...(systemInstruction === null ? {} : { systemInstruction }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolConfig === null ? {} : { toolConfig }),
    ...Object.fromEntries(known),
    // Calls are run by the host, and what the vendor interrupts is continued where the stream is read.
    automaticFunctionCalling: { disable: true },
    automaticContinuation: false,
    ...(Object.keys(extraBody).length > 0 ? { httpOptions: { extraBody } } : {}),
  };
  const limit = outputLimit(request, { ...params, ...request.options });
  // Built from the wire's own names, which the SDK's types describe more narrowly than JSON can.
  const sdkParams = { model, contents, config } as unknown as BuiltRequest["params"];
  return { params: sdkParams, names, leftOut, outputLimit: typeof limit === "number" ? limit : null };
}

/** The second over the first, object by object. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merged(before as JsonObject, value as JsonObject) : value;
  }
  return result;
}
