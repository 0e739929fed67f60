import type { JsonValue } from "@massgen/contracts";
import type { Simulator } from "../src/index.js";

/** A Chat Completions client of twenty lines, so that what is tested is the wire and not an SDK. */
export interface ChatAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly finish: string | null;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly chunks: number;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: "function";
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export const user = (content: string): ChatMessage => ({ role: "user", content });

export interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly [key: string]: unknown;
}

export function post(simulator: Simulator, body: ChatBody, init: RequestInit = {}): Promise<Response> {
  return fetch(`${simulator.baseUrl("chat_completions")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...init.headers },
    body: JSON.stringify({ model: "m", messages: [user("Hello")], ...body }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

export async function ask(simulator: Simulator, body: ChatBody, headers: Readonly<Record<string, string>> = {}): Promise<ChatAnswer> {
  const response = await post(simulator, { stream: true, stream_options: { include_usage: true }, ...body }, { headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return readStream(await response.text());
}

// biome-ignore lint/suspicious/noExplicitAny: chunks are read as a client without types would
type Chunk = any;

export function readStream(text: string): ChatAnswer {
  const events = text.split("\n\n").filter((event) => event !== "");
  if (events.pop() !== "data: [DONE]") throw new Error("the stream has no end");
  const chunks: Chunk[] = events.map((event) => JSON.parse(event.replace(/^data: /, "")));
  const deltas = chunks.flatMap((chunk) => chunk.choices).map((choice: Chunk) => choice.delta);
  const calls: { id: string; name: string; json: string }[] = [];
  for (const piece of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    calls[piece.index] ??= { id: piece.id, name: piece.function.name, json: "" };
    calls[piece.index]!.json += piece.function.arguments;
  }
  return {
    text: deltas.map((delta) => delta.content ?? "").join(""),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? "").join(""),
    calls: calls.map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) })),
    finish:
      chunks
        .flatMap((chunk) => chunk.choices)
        .map((choice: Chunk) => choice.finish_reason)
        .findLast((finish) => finish !== null) ?? null,
    usage: chunks.findLast((chunk) => chunk.usage !== undefined)?.usage ?? null,
    chunks: chunks.length,
  };
}

export const functionTool = (name: string, parameters: JsonValue = { type: "object", properties: {} }): object => ({
  type: "function",
  function: { name, description: `Does ${name}.`, parameters },
});
