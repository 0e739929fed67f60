// A backend is anything that streams one model turn. This one needs no model: it answers, votes, and says it again.
import type { BackendAdapter } from "@massgen/contracts";
import { coordinate } from "@massgen/core";

const can = { forcedToolChoice: true, parallelToolCalls: true, toolsMayChangeMidConversation: true, resumableConversations: false };

function says(answer: string): BackendAdapter {
  const answering = { type: "tool_call", callId: "call_1", tool: "new_answer", input: { content: answer } } as const;
  const voting = { type: "tool_call", callId: "call_2", tool: "vote", input: { agent_id: "agent1", reason: "It is shorter." } } as const;
  let turns = 0;
  async function* stream(): ReturnType<BackendAdapter["stream"]> {
    const part = [answering, voting].at(turns++) ?? ({ type: "text", text: answer } as const);
    yield { type: "turn_start", model: "canned-1", warnings: [] };
    yield part.type === "text" ? { type: "text_delta", text: answer } : { ...part, executedBy: "host" };
    yield {
      type: "turn_end",
      reason: part.type === "text" ? "stop" : "tool_calls",
      message: { role: "assistant", parts: [part] },
      usage: null,
    };
  }
  const capabilities = { loop: "host", hookDelivery: "none", input: ["text"], contextWindowTokens: null, ...can } as const;
  return { specVersion: 1, id: "canned", model: "canned-1", capabilities, stream, dispose: async () => {} };
}

const agents = [
  { id: "ada", backend: says("Write through.") },
  { id: "bob", backend: says("Write back, with a journal.") },
];
const run = coordinate({ question: "Which cache policy fits?", agents });
for await (const event of run)
  if (event.type === "vote_cast") console.log(`${event.agent} votes for ${event.targetLabel}: ${event.reason}`);
console.log((await run.outcome).finalAnswer);
