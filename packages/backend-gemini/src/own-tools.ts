import type { AttemptEvent } from "@massgen/backend-kit";
import type { JsonValue, ToolOutput } from "@massgen/contracts";
import { isObject, type JsonObject, textOf } from "./json.js";

type Fields = Readonly<Record<string, unknown>>;

const SEARCH = "google_search_retrieval";
const CODE = "code_execution";

/** What a part about one of Google's own tools tells. `open`: calls that wait for their results, oldest first. */
export function ownToolEvents(part: Fields, open: string[], newId: () => string): readonly AttemptEvent[] {
  const { executableCode: code, codeExecutionResult: ran, toolCall: call, toolResponse: response } = part;
  if (isObject(code)) {
    const input: JsonObject = { language: textOf(code["language"]), code: textOf(code["code"]) };
    return [called(begin(open, textOf(code["id"]) || newId()), CODE, input)];
  }
  if (isObject(ran)) {
    const isError = textOf(ran["outcome"]) !== "OUTCOME_OK";
    return [answered(end(open, textOf(ran["id"])) ?? newId(), textOf(ran["output"]), isError)];
  }
  if (isObject(call)) return [called(begin(open, textOf(call["id"]) || newId()), toolName(call), (call["args"] ?? {}) as JsonValue)];
  if (isObject(response))
    return [answered(end(open, textOf(response["id"])) ?? newId(), JSON.stringify(response["response"] ?? {}), false)];
  return [];
}

/** A search as its traces in the answer tell it; none when the search was told as a call already. */
export function searchEvents(grounding: Fields | null, newId: () => string): readonly AttemptEvent[] {
  const queries = grounding?.["webSearchQueries"];
  if (grounding === null || !Array.isArray(queries) || queries.length === 0) return [];
  const chunks = Array.isArray(grounding["groundingChunks"]) ? grounding["groundingChunks"] : [];
  const sources = chunks.flatMap((chunk: unknown) => {
    const web = isObject(chunk) && isObject(chunk["web"]) ? chunk["web"] : null;
    return web === null ? [] : [`${textOf(web["title"])} ${textOf(web["uri"])}`.trim()];
  });
  const callId = newId();
  return [called(callId, SEARCH, { queries: queries as readonly JsonValue[] }), answered(callId, sources.join("\n"), false)];
}

function called(callId: string, tool: string, input: JsonValue): AttemptEvent {
  return { type: "tool_call", callId, tool, input, executedBy: "backend" };
}

function answered(callId: string, text: string, isError: boolean): AttemptEvent {
  const output: ToolOutput = { parts: [{ type: "text", text: text === "" ? "(no output)" : text }], isError };
  return { type: "tool_result", callId, output };
}

function begin(open: string[], callId: string): string {
  open.push(callId);
  return callId;
}

function end(open: string[], id: string): string | undefined {
  const at = open.indexOf(id);
  return at < 0 ? open.shift() : open.splice(at, 1)[0];
}

function toolName(call: Fields): string {
  const type = textOf(call["toolType"]);
  return type === "" || type.startsWith("GOOGLE_SEARCH") ? SEARCH : type.toLowerCase();
}
