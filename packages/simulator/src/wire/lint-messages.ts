import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject, asText } from "./json-access.js";
import { lintMessageList } from "./lint-message-list.js";
import { lintToolSchema } from "./lint-tool-schema.js";
import type { JsonObject, Violation } from "./wire.js";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const MOST_MARKS = 4;
const SMALLEST_BUDGET = 1024;

/** What Anthropic answers with a 400. Empty when the request is in order. */
export function lintMessagesRequest(body: JsonObject): readonly Violation[] {
  return [...lintParameters(body), ...lintTools(body), ...lintMessageList(asArray(body["messages"])), ...lintMarks(body)];
}

function lintParameters(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  if (asText(body["model"]) === "") say("no model", "model");
  const limit = body["max_tokens"];
  if (!isPositiveInteger(limit)) say("max_tokens missing", "max_tokens");
  const thinking = asObject(body["thinking"]) ?? {};
  const isThinking = body["thinking"] !== undefined && thinking["type"] !== "disabled";
  const budget = thinking["budget_tokens"];
  if (thinking["type"] === "enabled" && !(typeof budget === "number" && budget >= SMALLEST_BUDGET && budget < Number(limit)))
    say("thinking budget below 1024 or not below max_tokens", "thinking.budget_tokens");
  const choice = asObject(body["tool_choice"]);
  if (isThinking && (choice?.["type"] === "any" || choice?.["type"] === "tool")) say("forced tool while thinking", "tool_choice");
  for (const key of ["tool_calls", "functions", "stream_options", "seed", "n"]) if (key in body) say("unknown field", key);
  for (const [index, block] of asArray(body["system"]).entries()) if (isBlank(block)) say("blank text block", `system[${index}]`);
  return violations;
}

function lintTools(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  const names = new Set<JsonValue>();
  for (const [index, value] of asArray(body["tools"]).entries()) {
    const where = `tools[${index}]`;
    const tool = asObject(value) ?? {};
    const name = tool["name"] ?? null;
    if (names.has(name)) say("tool name is not unique", `${where}: ${shown(name)}`);
    names.add(name);
    // Tools with another type run at the vendor.
    if (tool["type"] !== undefined && tool["type"] !== "custom") continue;
    if (typeof name !== "string" || !NAME.test(name)) say("tool name the vendor refuses", `${where}: ${shown(name)}`);
    // Properties may be missing here, other than with other vendors.
    const broken = lintToolSchema(tool["input_schema"] ?? null, `${where}.input_schema`);
    violations.push(...broken.filter(({ rule }) => rule !== "object schema without properties"));
    violations.push(...lintProperties(tool["input_schema"] ?? null, `${where}.input_schema`));
  }
  const choice = asObject(body["tool_choice"]);
  if (choice !== null && names.size === 0) say("tool_choice without tools", "tool_choice");
  if (choice?.["type"] === "tool" && names.size > 0 && !names.has(choice["name"] ?? null))
    say("tool_choice names no tool", `tool_choice: ${shown(choice["name"])}`);
  return violations;
}

function lintProperties(schema: JsonValue, where: string): readonly Violation[] {
  const fields = asObject(schema);
  if (fields === null) return [];
  return [
    ...Object.entries(asObject(fields["properties"]) ?? {}).flatMap(([key, child]) => [
      ...(PROPERTY.test(key) ? [] : [{ rule: "property name the vendor refuses", where: `${where}: ${shown(key)}` }]),
      ...lintProperties(child, `${where}.${key}`),
    ]),
    ...lintProperties(fields["items"] ?? null, `${where}[]`),
  ];
}

function lintMarks(body: JsonObject): readonly Violation[] {
  const blocks = [
    ...asArray(body["tools"]),
    ...asArray(body["system"]),
    ...asArray(body["messages"]).flatMap((message) => asArray(asObject(message)?.["content"])),
  ];
  const marks = [body, ...blocks].filter((block) => isSet(asObject(block)?.["cache_control"])).length;
  return marks > MOST_MARKS ? [{ rule: `more than ${MOST_MARKS} cache marks`, where: `cache_control: ${marks}` }] : [];
}

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;
const isBlank = (block: JsonValue): boolean => !/\S/.test(asText(asObject(block)?.["text"]));
const isPositiveInteger = (value: JsonValue | undefined): boolean => typeof value === "number" && Number.isInteger(value) && value > 0;
const shown = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);
