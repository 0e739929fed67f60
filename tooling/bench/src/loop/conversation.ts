import { createChatCompletions } from "@massgen/backend-chat-completions";
import type { BackendAdapter, ToolHandler } from "@massgen/contracts";
import { type CoordinateOptions, coordinate } from "@massgen/core";
import { writeProse } from "../fake-vendor/prose.js";
import { recordReply, replayed } from "../read/recorded-reply.js";

export const QUESTION = "Which cache policy fits a read-heavy service?";

export const save = {
  name: "save",
  description: "Saves a text.",
  input: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
} as const;

/** An ordinary tool: it gives back this text at once. */
export const ordinaryTool = (result: string): ToolHandler => ({
  spec: save,
  risk: "write",
  timeoutMs: 60_000,
  effects: () => [{ kind: "unknown" }],
  run: () => Promise.resolve({ parts: [{ type: "text", text: result }], isError: false }),
});

/** The answer every conversation ends with. */
export const ANSWER: string = writeProse(20, "answer");

/** One agent by itself, through core and kernel, to its end. @throws Error when it ends in any other way than with the answer. */
export async function converse(
  backend: BackendAdapter,
  tool: ToolHandler,
  asked: Pick<CoordinateOptions, "permissions" | "hooks"> = {},
): Promise<void> {
  const agents = [{ id: "ada", backend, tools: [tool] }];
  const { status, finalAnswer } = await coordinate({ question: QUESTION, agents, timeZone: "UTC", ...asked }).outcome;
  if (status !== "completed" || finalAnswer !== ANSWER) throw new Error(`The conversation ended as ${status}.`);
}

export function openAdapter(fetch: typeof globalThis.fetch): BackendAdapter {
  return createChatCompletions({
    model: "bench",
    apiKey: "bench-key",
    baseUrl: "http://127.0.0.1:9/v1",
    maxRetries: 0,
    ambient: { fetch },
  });
}

/** A vendor out of memory: `turns` calls of some 20 tokens, then the answer; `seen` gets each request's body. */
export type Script = (turns: number, seen?: (body: string) => void) => typeof globalThis.fetch;

export async function recordScript(): Promise<Script> {
  const call = await recordReply("chat_completions", {
    kind: "message",
    toolCalls: [{ name: save.name, input: { content: writeProse(15, "note") } }],
  });
  const answer = await recordReply("chat_completions", { kind: "message", text: ANSWER });
  return (turns, seen = () => {}) => {
    let asked = 0;
    return (_input, init) => {
      seen(String(init?.body));
      return Promise.resolve(replayed(asked++ < turns ? call.events : answer.events));
    };
  };
}
