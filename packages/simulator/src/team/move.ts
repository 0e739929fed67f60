import type { JsonValue } from "@massgen/contracts";
import type { MessageReply, Pace } from "../reply.js";

/** What a stand-in does with its turn. `remark`: what it says before it acts, `""` for nothing. */
export type Move =
  | { readonly kind: "answer" | "improvement"; readonly content: string; readonly remark: string }
  | { readonly kind: "vote"; readonly target: string; readonly reason: string; readonly remark: string }
  | { readonly kind: "release"; readonly remark: string }
  | { readonly kind: "stop"; readonly summary: string }
  | { readonly kind: "say"; readonly text: string };

/** A stand-in has no tool that does anything; it says so in the way a program reads. */
/** A part for each, as a planner would: by what it is, not by how much. */
export const divided = (agents: readonly string[]): Move => ({
  kind: "say",
  text: JSON.stringify(
    Object.fromEntries(agents.map((agent, index) => [agent, `(simulated) Step ${index + 1} of ${agents.length} of the task.`])),
  ),
});

/** Other wordings, as many as are asked for. */
export const reworded = (count: number): Move => ({
  kind: "say",
  text: JSON.stringify({
    wordings: Array.from({ length: count }, (_, index) => `(simulated) The task in other words, number ${index + 1}.`),
  }),
});

/** All of them ask for the same. */
export const compared = (count: number): Move => ({
  kind: "say",
  text: JSON.stringify({ verdicts: Array.from({ length: count }, () => ({ same: true, confidence: 1 })) }),
});

export const harmless: Move = { kind: "say", text: '{"irreversible": false, "blocked_tools": []}' };

export function moveReply(move: Move, pace?: Pace): MessageReply {
  const timing = pace === undefined ? {} : { pace };
  if (move.kind === "say") return { kind: "message", text: move.text, ...timing };
  const remark = move.kind === "stop" || move.remark === "" ? {} : { text: move.remark };
  return { kind: "message", ...remark, toolCalls: [callOf(move)], ...timing };
}

function callOf(move: Exclude<Move, { readonly kind: "say" }>): { readonly name: string; readonly input: JsonValue } {
  switch (move.kind) {
    case "vote":
      return { name: "vote", input: { agent_id: move.target, reason: move.reason } };
    case "stop":
      return { name: "stop", input: { summary: move.summary, status: "complete" } };
    case "release":
      return { name: "submit", input: { confirmed: true } };
    default:
      return { name: "new_answer", input: { content: move.content } };
  }
}
