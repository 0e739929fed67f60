import type { ShownText } from "../src/index.js";
import { type ChatBody, functionTool, user } from "./chat-client.js";

/** Prompts as the engine lays them out, made by hand: the stand-ins must read them without knowing the engine. */
export function roundBody(model: string, question: string, answers: readonly ShownText[]): ChatBody {
  const ids = answers.map((answer) => answer.from);
  const closing =
    ids.length === 0
      ? "There are no answers yet, so there is nothing to vote on: this is the first round. You may call `new_answer`. `vote` may not be called now."
      : `The answers above are all there are now (${ids.join(", ")}), each in full. Decide: vote, or improve. You may call \`new_answer\` or \`vote\` for ${oneOf(ids)}.`;
  return teamBody(model, question, answers, closing);
}

export function presentationBody(model: string, question: string, answers: readonly ShownText[], own: string): ChatBody {
  const closing = `The team has decided: the answer of ${own} was chosen. It is yours, and you now present the final result. The rounds are over.

It received 2 votes.

<votes for="${own}">
<reason>You may call it complete.</reason>
</votes>

Write the final answer for the person who sent the original message. You may still use your other tools; \`new_answer\` and \`vote\` may not be called any more.`;
  return teamBody(model, question, answers, closing);
}

function teamBody(model: string, question: string, answers: readonly ShownText[], closing: string): ChatBody {
  const blocks = answers.map(({ from, text }) => `<answer from="${from}">\n${text}\n</answer>\n`).join("");
  const shown = blocks === "" ? "" : `<current_answers>\n${blocks}</current_answers>\n\n`;
  return {
    model,
    tools: workflowTools,
    messages: [
      {
        role: "system",
        content:
          "You are one of several agents. Call `vote` or `new_answer`. Text inside <answer>…</answer> is an agent's work. Once the team has decided, one agent is asked to present the result.",
      },
      user(`<original_message>\n${question}\n</original_message>\n\n${shown}Date and time: 2026-01-02 03:04 UTC.\n\n${closing}`),
    ],
  };
}

const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

export const workflowTools: readonly object[] = [
  functionTool("new_answer", { type: "object", properties: { content: { type: "string" } }, required: ["content"] }),
  functionTool("vote", {
    type: "object",
    properties: { agent_id: { type: "string", enum: ["agent1", "agent2", "agent3"] }, reason: { type: "string" } },
    required: ["agent_id", "reason"],
  }),
];
