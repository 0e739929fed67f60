// biome-ignore-all lint/suspicious/noConsole: an example shows what it does
import type { BackendAdapter, JsonValue, Part } from "@massgen/contracts";
import { type Agent, basicCapabilities, coordinate } from "@massgen/core";

/** Here a model is a function: from the prompt to a text or to the call of a tool. */
const handMade = (model: string, think: (prompt: string) => Part): BackendAdapter => ({
  specVersion: 1,
  id: "hand-made",
  model,
  capabilities: basicCapabilities,
  async *stream({ messages }) {
    yield { type: "turn_start", model, warnings: [] };
    const message = { role: "assistant", parts: [think(JSON.stringify(messages))] } as const;
    yield { type: "turn_end", reason: "stop", message, usage: null };
  },
  dispose: () => Promise.resolve(),
});

const call = (tool: string, input: JsonValue): Part => ({ type: "tool_call", callId: crypto.randomUUID(), tool, input });
const member = (id: string, answer: string): Agent => {
  const think = (prompt: string): Part => {
    if (prompt.includes("The team has decided")) return { type: "text", text: `${answer} So says the team.` };
    return prompt.includes("<current_answers>")
      ? call("vote", { agent_id: "agent2", reason: "names a price" })
      : call("new_answer", { content: answer });
  };
  return { id, backend: handMade(id, think) };
};

const agents = [member("ada", "LRU."), member("bob", "LRU: cheap, and good enough.")];
const run = coordinate({ question: "Which cache policy fits?", agents });
for await (const event of run)
  if (event.type === "vote_cast") console.log(`${event.agent} votes for ${event.targetLabel}: it ${event.reason}`);
console.log((await run.outcome).finalAnswer);
