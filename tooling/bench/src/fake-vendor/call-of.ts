import type { JsonValue } from "@massgen/contracts";
import type { Step } from "./script.js";

/** Steps that end as a whole response. */
export type SpokenStep = Exclude<Step, { does: "fail" | "cut" | "stall" }>;

const VOTE_REASON = "It is complete and it is right.";

/** The tool call a step makes. */
export function callOf(step: Exclude<SpokenStep, { does: "text" }>): readonly [name: string, input: JsonValue] {
  if (step.does === "answer") return ["new_answer", { content: step.text }];
  if (step.does === "vote") return ["vote", { agent_id: step.target, reason: VOTE_REASON }];
  return [step.tool, step.input];
}
