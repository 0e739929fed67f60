import type { JsonValue, ToolCallPart } from "@massgen/contracts";
import type { Signal } from "@massgen/kernel";
import { previewOf } from "../text/cut-text.js";
import { fencedCall } from "./fenced-call.js";
import type { Response } from "./read-action.js";

type Decision = Extract<Signal, { type: "evaluated" | "evaluation_missed" }>;
type Missed = Extract<Decision, { type: "evaluation_missed" }>;

/**
 * What a response of the evaluator decides; `null` while it only uses its tools. A response that calls both sends the team
 * back: whoever names a fault has not released the answer (docs/spec/coordination.md EC57).
 */
export function readDecision(response: Response): Decision | null {
  const { workflow, ordinary, unknown, text } = response;
  if (workflow.length > 0) return decide(response, workflow);
  if (ordinary.length > 0) return null;
  const [first] = unknown;
  if (first !== undefined) return missed(response, "unknown_tool", `there is no tool called ${JSON.stringify(previewOf(first.tool, 80))}`);
  const written = fencedCall(text)?.call;
  if (written !== undefined && (written.tool === "submit" || written.tool === "restart_orchestration")) return decide(response, [written]);
  return missed(response, "no_tool_calls", "it called no tool");
}

function decide(response: Response, calls: readonly ToolCallPart[]): Decision {
  const { agent, round } = response;
  const restart = calls.findLast(({ tool }) => tool === "restart_orchestration");
  const call = restart ?? calls.at(-1);
  const args = call === undefined ? null : argumentsOf(call);
  if (call === undefined || args === null)
    return missed(response, "invalid_arguments", `the arguments of ${call?.tool ?? "the call"} could not be read as a JSON object`);
  if (restart !== undefined)
    return {
      type: "evaluated",
      agent,
      round,
      verdict: "restart",
      reason: wordOf(args["reason"]),
      instructions: wordOf(args["instructions"]),
    };
  if (args["confirmed"] === false) return missed(response, "invalid_arguments", "`submit` takes `confirmed: true`");
  return { type: "evaluated", agent, round, verdict: "submit", reason: "", instructions: "" };
}

export const missed = ({ agent, round }: Pick<Response, "agent" | "round">, code: Missed["code"], detail: string): Missed => ({
  type: "evaluation_missed",
  agent,
  round,
  code,
  detail,
});

/** `null` for arguments that are no JSON object. */
function argumentsOf({ input, inputError }: ToolCallPart): { readonly [key: string]: JsonValue } | null {
  const isObject = inputError === undefined && typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? (input as { readonly [key: string]: JsonValue }) : null;
}

const wordOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
