import { OpenAI } from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { QUESTION, save } from "./conversation.js";

const tools: ChatCompletionTool[] = [
  { type: "function", function: { name: save.name, description: save.description, parameters: { ...save.input } } },
];

interface OpenCall {
  id: string;
  name: string;
  json: string;
}

/** The loop as one writes it on the SDK: ask, run what is called, ask again, until an answer calls nothing. */
export async function loopByHand(
  fetch: typeof globalThis.fetch,
  run: (input: unknown) => string,
  baseURL = "http://127.0.0.1:9/v1",
): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey: "bench-key", fetch });
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    let text = "";
    const calls: OpenCall[] = [];
    for await (const chunk of await client.chat.completions.create({ model: "bench", messages, tools, stream: true })) {
      const delta = chunk.choices[0]?.delta;
      text += delta?.content ?? "";
      for (const { index, id, function: called } of delta?.tool_calls ?? []) {
        calls[index] ??= { id: "", name: "", json: "" };
        calls[index].id += id ?? "";
        calls[index].name += called?.name ?? "";
        calls[index].json += called?.arguments ?? "";
      }
    }
    if (calls.length === 0) return text;
    const tool_calls = calls.map(({ id, name, json }) => ({ id, type: "function" as const, function: { name, arguments: json } }));
    messages.push({ role: "assistant", content: text === "" ? null : text, tool_calls });
    for (const { id, json } of calls) messages.push({ role: "tool", tool_call_id: id, content: run(JSON.parse(json)) });
  }
}
