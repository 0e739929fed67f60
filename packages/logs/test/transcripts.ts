import type { AnswerLabel, Message, RoundTranscript, ToolSpec } from "@massgen/contracts";

const tools: readonly ToolSpec[] = [
  {
    name: "new_answer",
    description: "Submit your full answer to the task.",
    input: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
  },
  {
    name: "vote",
    description: "Choose the answer that should win.",
    input: { type: "object", properties: { agent_id: { type: "string" } }, required: ["agent_id"] },
  },
];

export const text = (role: "user" | "assistant", value: string): Message => ({ role, parts: [{ type: "text", text: value }] });
export const call = (callId: string, tool: string, input: Record<string, string>, said = "", thought = ""): Message => ({
  role: "assistant",
  parts: [
    ...(thought === "" ? [] : [{ type: "reasoning", text: thought } as const]),
    ...(said === "" ? [] : [{ type: "text", text: said } as const]),
    { type: "tool_call", callId, tool, input },
  ],
});
export const result = (callId: string, value: string, isError = false): Message => ({
  role: "tool",
  results: [{ callId, output: { parts: [{ type: "text", text: value }], isError } }],
});

export function transcript(
  agent: string,
  round: number,
  shown: readonly AnswerLabel[],
  after: readonly Message[],
  channel: RoundTranscript["channel"] = "work",
): RoundTranscript {
  const opening: readonly Message[] = [
    { role: "system", text: "Several agents work on one task." },
    text("user", `Task: Compare two caching strategies\n\nAnswers: ${shown.join(", ") || "none yet"}`),
  ];
  return { agent, round, channel, shown, messages: [...opening, ...after], openingMessages: opening.length, tools };
}
