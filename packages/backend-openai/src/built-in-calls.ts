import { type AttemptEvent, parseArguments } from "@massgen/backend-kit";
import type { JsonValue, MediaPart, TextPart, ToolOutput } from "@massgen/contracts";
import { type Fields, isObject, listOf, textOf } from "./json.js";

/** What a search and a run of code look like to people: the call and its result. Anything else shows its own fields. */
const VIEWS: Readonly<Record<string, (item: Fields) => { readonly input: JsonValue; readonly parts: ToolOutput["parts"] }>> = {
  web_search_call: searchView,
  x_search_call: searchView,
  custom_tool_call: (item) => ({ input: spokenInput(textOf(item["input"])), parts: [] }),
  code_interpreter_call: (item) => ({ input: { code: textOf(item["code"]) }, parts: listOf(item["outputs"]).flatMap(outputParts) }),
};

/** The events of a call that the vendor made and answered itself. */
export function builtInEvents(item: Fields): readonly AttemptEvent[] {
  const type = textOf(item["type"]);
  const callId = textOf(item["id"]) || type;
  const { input, parts } = (VIEWS[type] ?? plainView)(item);
  const status = textOf(item["status"]);
  const isError = status === "failed" || status === "incomplete" || isObject(item["error"]);
  const shown = parts.length > 0 ? parts : [text(status || "completed")];
  return [
    { type: "tool_call", callId, tool: textOf(item["name"]) || type.replace(/_call$/, ""), input, executedBy: "backend" },
    { type: "tool_result", callId, output: { parts: shown, isError } },
  ];
}

/** Types of items that report a call, except those the host has to answer. */
export function isBuiltInCall(type: string): boolean {
  return type.endsWith("_call") && type !== "function_call" && type !== "custom_tool_call";
}

/** Mostly the text of an object, though the API calls it free-form. */
function spokenInput(written: string): JsonValue {
  const { input, inputError } = parseArguments(written);
  return inputError === undefined ? input : { input: written };
}

function searchView({ action }: Fields): { readonly input: JsonValue; readonly parts: ToolOutput["parts"] } {
  const { sources, ...asked } = isObject(action) ? action : {};
  const found = listOf(sources).flatMap((source) => (isObject(source) && textOf(source["url"]) !== "" ? [textOf(source["url"])] : []));
  return { input: asked as JsonValue, parts: found.length === 0 ? [] : [text(found.join("\n"))] };
}

function outputParts(output: unknown): readonly (TextPart | MediaPart)[] {
  if (!isObject(output)) return [];
  if (typeof output["logs"] === "string") return output["logs"] === "" ? [] : [text(output["logs"])];
  const url = textOf(output["url"]);
  return URL.canParse(url) ? [{ type: "media", mediaType: "image/png", data: new URL(url) }] : [];
}

/** Large and internal fields are not for people: pictures as text, ids, the kind itself. */
const HIDDEN = new Set(["id", "call_id", "type", "status", "result", "results", "output", "error", "name", "encrypted_content"]);

function plainView(item: Fields): { readonly input: JsonValue; readonly parts: ToolOutput["parts"] } {
  const input = Object.fromEntries(Object.entries(item).filter(([key]) => !HIDDEN.has(key)));
  const output = textOf(item["output"]) || (isObject(item["error"]) ? textOf(item["error"]["message"]) : "");
  return { input: input as JsonValue, parts: output === "" ? [] : [text(output)] };
}

const text = (value: string): TextPart => ({ type: "text", text: value });
