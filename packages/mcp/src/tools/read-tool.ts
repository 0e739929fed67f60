import { createHash } from "node:crypto";
import type { JsonSchema } from "@massgen/contracts";
import { oneLine, visibleText } from "../one-line.js";

/** A tool as a server describes it, made safe to show. */
export interface ListedTool {
  /** As the server calls it; what is sent back to it. */
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** What its structured results are to be like; `null` where the server does not say. */
  readonly output: JsonSchema | null;
  /** What the server says of the tool: hints, no promises. */
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean };
  /** It only runs as a task: it is started, asked after, and its result fetched. */
  readonly runsAsTask: boolean;
  /** Of name, description and schema as the server sent them. */
  readonly fingerprint: string;
}

const LONGEST_DESCRIPTION = 4096;
const LONGEST_SCHEMA = 64 * 1024;
const LONGEST_NAME = 200;

/** One entry of a server's list; a sentence on what is wrong with it when it cannot be used. */
export function readTool(entry: unknown): ListedTool | string {
  if (!isRecord(entry) || typeof entry["name"] !== "string" || entry["name"].trim() === "") return "a tool without a name is left out";
  const { name, description, inputSchema, outputSchema, annotations } = entry;
  const shown = JSON.stringify(oneLine(name, 80));
  if (name.length > LONGEST_NAME) return `the tool ${shown} is left out: its name has ${name.length} characters`;
  if (visibleText(name) !== name || /[\n\t]/.test(name))
    return `the tool ${shown} is left out: its name holds characters that are not seen`;
  const schema = isRecord(inputSchema) ? inputSchema : {};
  const json = JSON.stringify(schema);
  if (json.length > LONGEST_SCHEMA) return `the tool ${shown} is left out: its schema has ${json.length} characters`;
  const text = typeof description === "string" ? description : "";
  const hints = isRecord(annotations) ? annotations : {};
  return {
    name,
    description: cut(visibleText(text)),
    // A reviver on the way back takes out what is not seen, in every description of a parameter.
    input: { type: "object", ...(JSON.parse(json, (_, value) => (typeof value === "string" ? visibleText(value) : value)) as JsonSchema) },
    output: isRecord(outputSchema) && JSON.stringify(outputSchema).length <= LONGEST_SCHEMA ? (outputSchema as JsonSchema) : null,
    hints: {
      readOnly: hints["readOnlyHint"] === true,
      destructive: hints["destructiveHint"] === true && hints["readOnlyHint"] !== true,
      idempotent: hints["idempotentHint"] === true,
    },
    runsAsTask: isRecord(entry["execution"]) && entry["execution"]["taskSupport"] === "required",
    fingerprint: createHash("sha256")
      .update(JSON.stringify([name, text, schema]))
      .digest("hex"),
  };
}

const cut = (text: string): string => (text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION - 1)}…`);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
