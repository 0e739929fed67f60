import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject } from "./json-access.js";
import { lintToolSchema } from "./lint-tool-schema.js";
import type { JsonObject, Violation } from "./wire.js";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_TOOLS = 128;
/** Reasoning comes back only because a compatible vendor streamed it and wants it returned with its tool calls. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: [
    "role",
    "content",
    "name",
    "refusal",
    "audio",
    "tool_calls",
    "function_call",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
  ],
  tool: ["role", "content", "tool_call_id"],
};

/** What OpenAI, or one of the stricter compatible servers, answers with a 400. Empty when the request is in order. */
export function lintChatCompletions(body: JsonObject): readonly Violation[] {
  return [...lintParameters(body), ...lintTools(body), ...lintMessages(asArray(body["messages"]))];
}

function lintParameters(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  if (typeof body["model"] !== "string" || body["model"] === "") say("no model", "model");
  if (asArray(body["messages"]).length === 0) say("no messages", "messages");
  if (body["stream_options"] !== undefined && body["stream_options"] !== null && body["stream"] !== true)
    say("stream_options without stream", "stream_options");
  if (isSet(body["max_tokens"]) && isSet(body["max_completion_tokens"])) say("max_tokens beside max_completion_tokens", "max_tokens");
  return violations;
}

function lintTools(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  const tools = asArray(body["tools"]);
  if (body["tools"] !== undefined && tools.length === 0) say("empty tools", "tools");
  if (tools.length > MOST_TOOLS) say(`more than ${MOST_TOOLS} tools`, `tools: ${tools.length}`);
  const names = new Set<JsonValue>();
  for (const [index, tool] of tools.entries()) {
    const definition = asObject(asObject(tool)?.["function"]);
    if (asObject(tool)?.["type"] !== "function" || definition === null) {
      say("tool is no function", `tools[${index}]`);
      continue;
    }
    const name = definition["name"] ?? null;
    if (!isName(name)) say("tool name the vendor refuses", `tools[${index}]: ${shown(name)}`);
    if (names.has(name)) say("tool name is not unique", `tools[${index}]: ${shown(name)}`);
    names.add(name);
    if (definition["parameters"] !== undefined)
      violations.push(...lintToolSchema(definition["parameters"], `tools[${index}].function.parameters`));
  }
  if (isSet(body["tool_choice"]) && tools.length === 0) say("tool_choice without tools", "tool_choice");
  const forced = asObject(asObject(body["tool_choice"])?.["function"])?.["name"];
  if (forced !== undefined && tools.length > 0 && !names.has(forced)) say("tool_choice names no tool", `tool_choice: ${shown(forced)}`);
  return violations;
}

function lintMessages(messages: readonly JsonValue[]): readonly Violation[] {
  const violations: Violation[] = [];
  /** Calls of the last assistant message that still wait for their results. */
  const open = new Set<string>();
  const ids = new Set<string>();
  const closeCalls = (where: string): void => {
    if (open.size > 0) violations.push({ rule: "tool call without a result", where: `${where}: ${[...open].join(", ")}` });
    open.clear();
  };
  for (const [index, value] of messages.entries()) {
    const message = asObject(value) ?? {};
    const where = `messages[${index}]`;
    violations.push(...lintFields(message, where));
    if (message["role"] === "tool") {
      const id = message["tool_call_id"];
      if (typeof id !== "string" || !open.delete(id))
        violations.push({ rule: "tool result without its call", where: `${where}: ${shown(id)}` });
      continue;
    }
    closeCalls(where);
    for (const [at, call] of asArray(message["tool_calls"]).entries()) {
      violations.push(...lintCall(call, `${where}.tool_calls[${at}]`));
      const id = asObject(call)?.["id"];
      if (typeof id !== "string") continue;
      if (ids.has(id)) violations.push({ rule: "tool call id is not unique", where: `${where}.tool_calls[${at}]: ${id}` });
      ids.add(id);
      open.add(id);
    }
  }
  closeCalls("end of messages");
  return violations;
}

function lintFields(message: JsonObject, where: string): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, at: string): void => void violations.push({ rule, where: at });
  const role = message["role"];
  const known = typeof role === "string" && Object.hasOwn(FIELDS, role) ? FIELDS[role]! : null;
  if (known === null) return [{ rule: "unknown role", where: `${where}: ${shown(role)}` }];
  for (const key of Object.keys(message)) if (!known.includes(key)) say("unknown field in a message", `${where}.${key}`);
  if (message["tool_calls"] !== undefined && asArray(message["tool_calls"]).length === 0) say("empty tool_calls", where);
  const content = message["content"];
  if (typeof content === "string") {
    if (role === "assistant" && content === "" && message["tool_calls"] === undefined) say("assistant message with nothing in it", where);
  } else if (Array.isArray(content)) {
    if (content.length === 0) say("empty content", where);
    for (const [index, part] of content.entries())
      if (!isPart(part, role)) say("content part the vendor refuses", `${where}.content[${index}]`);
  } else if (isSet(content)) say("content is neither text nor parts", where);
  else if (role !== "assistant") say("no content", where);
  else if (message["tool_calls"] === undefined) say("assistant message with nothing in it", where);
  return violations;
}

function lintCall(value: JsonValue, where: string): readonly Violation[] {
  const violations: Violation[] = [];
  const call = asObject(value) ?? {};
  const called = asObject(call["function"]) ?? {};
  if (typeof call["id"] !== "string" || call["id"] === "") violations.push({ rule: "tool call without id", where });
  if (!isName(called["name"] ?? null))
    violations.push({ rule: "tool call name the vendor refuses", where: `${where}: ${shown(called["name"])}` });
  if (!isJsonObject(called["arguments"]))
    violations.push({ rule: "tool call arguments are not the text of a JSON object", where: `${where}: ${shown(called["arguments"])}` });
  return violations;
}

/** Only media for people may stand beside text, and none of it in what a tool returns. */
function isPart(part: JsonValue, role: JsonValue | undefined): boolean {
  const fields = asObject(part);
  if (fields === null || typeof fields["type"] !== "string") return false;
  if (fields["type"] === "text") return typeof fields["text"] === "string";
  if (fields["type"] === "refusal") return role === "assistant";
  return role === "user" && ["image_url", "input_audio", "file"].includes(fields["type"]);
}

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;
const isName = (value: JsonValue): boolean => typeof value === "string" && NAME.test(value);
const shown = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);

function isJsonObject(value: JsonValue | undefined): boolean {
  if (typeof value !== "string") return false;
  try {
    return asObject(JSON.parse(value)) !== null;
  } catch {
    return false;
  }
}
