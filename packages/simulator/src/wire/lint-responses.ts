import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject, asText } from "./json-access.js";
import { lintToolSchema } from "./lint-tool-schema.js";
import type { JsonObject, Violation } from "./wire.js";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_TOOLS = 128;
/** Fields of Chat Completions that this API answers with "Unsupported parameter". */
const FOREIGN = [
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "response_format",
  "functions",
  "stop",
  "n",
  "top_k",
  "reasoning_effort",
];
/** Content parts by the role of the message they may stand in. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ["input_text"],
  developer: ["input_text"],
  user: ["input_text", "input_image", "input_file", "input_audio"],
  assistant: ["output_text", "refusal"],
};
/** What may come between a thought and what it led to: more thoughts, or calls that the vendor ran. */
const LED_TO = /^(?:reasoning|message|\w+_call)$/;

/** What OpenAI answers with a 400. Empty when the request is in order. */
export function lintResponses(body: JsonObject): readonly Violation[] {
  return [...lintParameters(body), ...lintTools(body), ...lintInput(body)];
}

function lintParameters(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  if (typeof body["model"] !== "string" || body["model"] === "") say("no model", "model");
  const { input } = body;
  if (typeof input === "string" ? input === "" : asArray(input).length === 0) say("no input", "input");
  for (const field of FOREIGN) if (body[field] !== undefined) say("parameter of another API", field);
  if (asObject(body["text"])?.["format"] !== undefined && asObject(asObject(body["text"])?.["format"]) === null)
    say("text.format is no object", "text.format");
  return violations;
}

function lintTools(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  const tools = asArray(body["tools"]);
  if (tools.length > MOST_TOOLS) say(`more than ${MOST_TOOLS} tools`, `tools: ${tools.length}`);
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const fields = asObject(tool) ?? {};
    if (asText(fields["type"]) === "") say("tool without a type", `tools[${index}]`);
    if (fields["type"] !== "function") continue;
    const name = asText(fields["name"]);
    if (!NAME.test(name)) say("tool name the vendor refuses", `tools[${index}]: ${shown(fields["name"])}`);
    if (names.has(name)) say("tool name is not unique", `tools[${index}]: ${shown(name)}`);
    names.add(name);
    if (fields["parameters"] !== undefined) violations.push(...lintToolSchema(fields["parameters"], `tools[${index}].parameters`));
  }
  const choice = body["tool_choice"];
  if (choice !== undefined && choice !== null && tools.length === 0) say("tool_choice without tools", "tool_choice");
  const forced = asObject(choice);
  if (forced?.["type"] === "function" && !names.has(asText(forced["name"])))
    say("tool_choice names no tool", `tool_choice: ${shown(forced["name"])}`);
  return violations;
}

function lintInput(body: JsonObject): readonly Violation[] {
  const items = asArray(body["input"]).map((item): JsonObject => asObject(item) ?? {});
  const open = new Set<string>();
  const ids = new Set<string>();
  const violations = items.flatMap((item, index): readonly Violation[] => {
    const where = `input[${index}]`;
    switch (item["type"] ?? "message") {
      case "message":
        return lintMessage(item, where);
      case "function_call":
        return lintCall(item, where, open, ids);
      case "function_call_output":
        return lintOutput(item, where, open);
      case "reasoning":
        return lintReasoning(item, items[index + 1], where, body["store"] === false && asText(body["previous_response_id"]) === "");
      default:
        return /_call$|_call_output$|^item_reference$|^compaction$|^mcp_/.test(asText(item["type"]))
          ? []
          : [{ rule: "unknown item", where: `${where}: ${shown(item["type"])}` }];
    }
  });
  // A call may be answered by a conversation that the vendor keeps.
  return open.size === 0
    ? violations
    : [...violations, { rule: "tool call without a result", where: `end of input: ${[...open].join(", ")}` }];
}

function lintMessage({ role, content }: JsonObject, where: string): readonly Violation[] {
  const allowed = Object.hasOwn(PARTS, asText(role)) ? PARTS[asText(role)]! : null;
  if (allowed === null) return [{ rule: "unknown role", where: `${where}: ${shown(role)}` }];
  if (typeof content === "string") return [];
  if (!Array.isArray(content)) return [{ rule: "content is neither text nor parts", where }];
  if (content.length === 0) return [{ rule: "empty content", where }];
  return content.flatMap((part: JsonValue, index) =>
    allowed.includes(asText(asObject(part)?.["type"]))
      ? []
      : [{ rule: "content part the vendor refuses", where: `${where}.content[${index}]` }],
  );
}

function lintCall(item: JsonObject, where: string, open: Set<string>, ids: Set<string>): readonly Violation[] {
  const violations: Violation[] = [];
  const id = asText(item["call_id"]);
  if (id === "") violations.push({ rule: "tool call without id", where });
  if (ids.has(id)) violations.push({ rule: "tool call id is not unique", where: `${where}: ${id}` });
  ids.add(id);
  open.add(id);
  if (!NAME.test(asText(item["name"])))
    violations.push({ rule: "tool call name the vendor refuses", where: `${where}: ${shown(item["name"])}` });
  if (!isJsonObject(item["arguments"]))
    violations.push({ rule: "tool call arguments are not the text of a JSON object", where: `${where}: ${shown(item["arguments"])}` });
  return violations;
}

function lintOutput({ call_id: callId, output }: JsonObject, where: string, open: Set<string>): readonly Violation[] {
  const violations: Violation[] = [];
  if (!open.delete(asText(callId))) violations.push({ rule: "tool result without its call", where: `${where}: ${shown(callId)}` });
  const isList =
    Array.isArray(output) && output.length > 0 && output.every((part) => PARTS["user"]!.includes(asText(asObject(part)?.["type"])));
  if (typeof output !== "string" && !isList) violations.push({ rule: "output is neither text nor parts", where });
  return violations;
}

function lintReasoning(item: JsonObject, next: JsonObject | undefined, where: string, mustBeWhole: boolean): readonly Violation[] {
  const violations: Violation[] = [];
  const isFollowed = next !== undefined && (LED_TO.test(asText(next["type"])) || next["role"] === "assistant") && next["role"] !== "user";
  if (!isFollowed) violations.push({ rule: "reasoning without the item that followed it", where: `${where}: ${shown(item["id"])}` });
  if (mustBeWhole && asText(item["encrypted_content"]) === "")
    violations.push({ rule: "reasoning without encrypted_content while nothing is stored", where: `${where}: ${shown(item["id"])}` });
  return violations;
}

const shown = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);

function isJsonObject(value: JsonValue | undefined): boolean {
  if (typeof value !== "string") return false;
  try {
    return asObject(JSON.parse(value)) !== null;
  } catch {
    return false;
  }
}
