import type { MessageReply, Pace } from "../reply.js";

/** What a stand-in does with its turn. `remark`: what it says before it acts, `""` for nothing. */
export type Move =
  | { readonly kind: "answer" | "improvement"; readonly content: string; readonly remark: string }
  | { readonly kind: "vote"; readonly target: string; readonly reason: string; readonly remark: string }
  | { readonly kind: "say"; readonly text: string };

export function moveReply(move: Move, pace?: Pace): MessageReply {
  const timing = pace === undefined ? {} : { pace };
  if (move.kind === "say") return { kind: "message", text: move.text, ...timing };
  const remark = move.remark === "" ? {} : { text: move.remark };
  const call =
    move.kind === "vote"
      ? { name: "vote", input: { agent_id: move.target, reason: move.reason } }
      : { name: "new_answer", input: { content: move.content } };
  return { kind: "message", ...remark, toolCalls: [call], ...timing };
}
