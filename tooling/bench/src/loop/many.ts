import { createChatCompletions } from "@massgen/backend-chat-completions";
import { coordinate } from "@massgen/core";
import { nodeFetch } from "@massgen/sdk";
import { ordinaryTool, QUESTION } from "./conversation.js";
import { loopByHand } from "./floor.js";

/** What is asked of every agent, over the wire. */
export interface Load {
  readonly baseUrl: string;
  readonly agents: number;
}

export type Who = "ours" | "by-hand";

/** So many conversations at once, each to its end. */
export async function converseAtOnce(who: Who, { baseUrl, agents }: Load): Promise<void> {
  const one = who === "ours" ? ours(baseUrl) : byHand(baseUrl);
  await Promise.all(Array.from({ length: agents }, one));
}

/** Each agent is a run of its own, as in a server; connections are shared. */
function ours(baseUrl: string): () => Promise<void> {
  const fetch = nodeFetch({});
  return async () => {
    const backend = createChatCompletions({ model: "bench", apiKey: "bench-key", baseUrl, maxRetries: 0, ambient: { fetch } });
    const tools = [ordinaryTool("Saved.")];
    const { status } = await coordinate({ question: QUESTION, agents: [{ id: "ada", backend, tools }], timeZone: "UTC" }).outcome;
    if (status !== "completed") throw new Error(`A conversation ended as ${status}.`);
  };
}

function byHand(baseUrl: string): () => Promise<void> {
  return async () => {
    if ((await loopByHand(globalThis.fetch, () => "Saved.", baseUrl)) === "") throw new Error("A conversation ended without an answer.");
  };
}
