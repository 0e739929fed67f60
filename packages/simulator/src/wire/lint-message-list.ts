import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject, asText } from "./json-access.js";
import type { JsonObject, Violation } from "./wire.js";

type Say = (rule: string, where: string) => void;

const FIELDS = new Set(["role", "content"]);
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
/** Blocks by the role that may say them. What the vendor itself made comes back in the assistant's messages. */
const BLOCKS: Readonly<Record<string, RegExp>> = {
  user: /^(?:text|image|document|search_result|tool_result|container_upload)$/,
  assistant: /^(?:text|thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|container_upload|\w+_tool_result)$/,
};

/** Rules of a conversation: who speaks when, what may be said, and that every call is answered at once. */
export function lintMessageList(messages: readonly JsonValue[]): readonly Violation[] {
  const violations: Violation[] = [];
  const say: Say = (rule, where) => void violations.push({ rule, where });
  const list = messages.map((message) => asObject(message) ?? {});
  if (list.length === 0) say("no messages", "messages");
  else if (list[0]!["role"] !== "user") say("first message is not the user's", "messages[0]");
  const ids = new Set<string>();
  for (const [index, message] of list.entries()) {
    const where = `messages[${index}]`;
    lintMessage(message, index === list.length - 1, where, say);
    const blocks = blocksOf(message);
    for (const block of blocks) lintBlock(block, { role: asText(message["role"]), before: blocksOf(list[index - 1]), ids }, where, say);
    if (message["role"] === "assistant") lintAnswers(blocks, blocksOf(list[index + 1]), index + 1, say);
  }
  return violations;
}

function lintMessage(message: JsonObject, isLast: boolean, where: string, say: Say): void {
  if (BLOCKS[asText(message["role"])] === undefined) say("unknown role", `${where}: ${JSON.stringify(message["role"])}`);
  for (const key of Object.keys(message)) if (!FIELDS.has(key)) say("unknown field in a message", `${where}.${key}`);
  const blocks = blocksOf(message);
  if (blocks.length === 0) say("message with nothing in it", where);
  const last = blocks.at(-1);
  if (isLast && message["role"] === "assistant" && last?.["type"] === "text" && /\s$/.test(asText(last["text"])))
    say("last message ends in white space", where);
}

interface Place {
  readonly role: string;
  readonly before: readonly JsonObject[];
  readonly ids: Set<string>;
}

function lintBlock(block: JsonObject, { role, before, ids }: Place, where: string, say: Say): void {
  const type = asText(block["type"]);
  if (BLOCKS[role] !== undefined && !BLOCKS[role].test(type)) say("content block the vendor refuses", `${where}: ${type || "nothing"}`);
  if (type === "text" && !/\S/.test(asText(block["text"]))) say("blank text block", where);
  if (type === "thinking" && asText(block["signature"]) === "") say("thinking block without signature", where);
  if (type === "redacted_thinking" && asText(block["data"]) === "") say("redacted thinking block without data", where);
  if (type === "tool_use") {
    const id = asText(block["id"]);
    if (!CALL_ID.test(id)) say("tool_use id the vendor refuses", `${where}: ${id}`);
    if (ids.has(id)) say("tool_use id is not unique", `${where}: ${id}`);
    ids.add(id);
    if (asObject(block["input"]) === null) say("tool_use input is no object", `${where}: ${id}`);
  }
  if (type === "tool_result") {
    const id = asText(block["tool_use_id"]);
    if (!before.some((call) => call["type"] === "tool_use" && call["id"] === id))
      say("tool_result without its tool_use", `${where}: ${id}`);
    for (const part of blocksOf(block))
      if (part["type"] === "text" && !/\S/.test(asText(part["text"])) && Array.isArray(block["content"])) say("blank text block", where);
  }
}

function lintAnswers(blocks: readonly JsonObject[], next: readonly JsonObject[], index: number, say: Say): void {
  const calls = blocks.filter((block) => block["type"] === "tool_use");
  const results = next.filter((block) => block["type"] === "tool_result");
  for (const { id } of calls)
    if (!results.some((result) => result["tool_use_id"] === id))
      say("tool_use without tool_result in the next message", `messages[${index}]: ${id}`);
  const firstOther = next.findIndex((block) => block["type"] !== "tool_result");
  const lastResult = next.findLastIndex((block) => block["type"] === "tool_result");
  if (calls.length > 0 && firstOther >= 0 && lastResult > firstOther) say("tool_result behind other content", `messages[${index}]`);
}

function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  const content = message?.["content"];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asArray(content).map((block) => asObject(block) ?? {});
}
