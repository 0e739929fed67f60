import type { JsonValue, ToolCallPart } from "@massgen/contracts";
import { WORKFLOW_TOOL_NAMES } from "../tools/workflow-tools.js";

const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1[`~]*[ \t]*$/gm;

/** A call written as text, and what the response said besides. */
export interface FencedCall {
  readonly call: ToolCallPart;
  readonly rest: string;
}

/**
 * The call a model without tool calls has written down: the last fenced JSON object of the form
 * `{"name": "vote", "arguments": {…}}` that names a workflow tool (docs/spec/coordination.md 1.8); `null` when there is none.
 */
export function fencedCall(text: string): FencedCall | null {
  for (const match of [...text.matchAll(FENCE)].reverse()) {
    const call = readCall(match[2] ?? "");
    if (call !== null) return { call, rest: text.slice(0, match.index) + text.slice(match.index + match[0].length) };
  }
  return null;
}

function readCall(json: string): ToolCallPart | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null; // ordinary code in a fence
  }
  if (typeof value !== "object" || value === null || !("name" in value) || !("arguments" in value)) return null;
  const { name } = value;
  if (typeof name !== "string" || !WORKFLOW_TOOL_NAMES.includes(name)) return null;
  return { type: "tool_call", callId: "", tool: name, input: value.arguments as JsonValue };
}
