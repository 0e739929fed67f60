// Built on the published kit alone: answers, then votes, then says what it was given.
import { AttemptError, fatal, runTurn, webAmbient } from "@massgen/backend-kit";

const can = { forcedToolChoice: true, parallelToolCalls: true, toolsMayChangeMidConversation: true, resumableConversations: false };
const capabilities = { loop: "host", hookDelivery: "none", input: ["text"], contextWindowTokens: null, ...can };

export function createBackend({ model = "stranger-1", apiKey, params, ambient }) {
  if (apiKey === undefined) throw new Error("it needs an api_key");
  const answer = `A stranger called ${model} ${params.greeting}.`;
  let turns = 0;

  async function* play(request) {
    if (request.messages.length === 0) throw new AttemptError(fatal("nothing was asked"));
    const part = [
      { type: "tool_call", callId: "call_1", tool: "new_answer", input: { content: answer } },
      { type: "tool_call", callId: "call_2", tool: "vote", input: { agent_id: "agent1", reason: "It is polite." } },
    ][turns++] ?? { type: "text", text: answer };
    yield part.type === "text" ? { type: "text_delta", text: answer } : { ...part, executedBy: "host" };
    const reason = part.type === "text" ? "stop" : "tool_calls";
    yield { type: "turn_end", reason, message: { role: "assistant", parts: [part] }, usage: null };
  }

  return {
    specVersion: 1,
    id: "stranger",
    model,
    capabilities,
    stream: (request, signal) =>
      runTurn({ model, who: `Stranger (${model})`, ambient: webAmbient(ambient), signal, attempt: async () => play(request) }),
    dispose: async () => {},
  };
}
