import { Anthropic } from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai/web";
import type { SimulatedApi } from "@massgen/simulator";
import { OpenAI } from "openai";
import { KEY, type Place } from "./apis.js";

/** Asks once and gives the text of the answer. */
export type Reader = () => Promise<string>;

const QUESTION = "Which cache policy fits a read-heavy service?";
const messages = [{ role: "user" as const, content: QUESTION }];

/** The vendor's own SDK as its manual uses it: its request, its iterator. */
export const sdkReaders: Readonly<Record<SimulatedApi, (place: Place) => Reader>> = {
  chat_completions({ baseUrl, model }) {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: KEY });
    return async () => {
      let text = "";
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      return text;
    };
  },
  responses({ baseUrl, model }) {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: KEY });
    return async () => {
      let text = "";
      for await (const event of await client.responses.create({ model, input: QUESTION, stream: true }))
        if (event.type === "response.output_text.delta") text += event.delta;
      return text;
    };
  },
  messages({ baseUrl, model }) {
    const client = new Anthropic({ baseURL: baseUrl, apiKey: KEY });
    return async () => {
      let text = "";
      for await (const event of await client.messages.create({ model, messages, max_tokens: 4096, stream: true }))
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
      return text;
    };
  },
  generate_content({ baseUrl, model }) {
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl } });
    return async () => {
      let text = "";
      for await (const chunk of await client.models.generateContentStream({ model, contents: QUESTION })) text += chunk.text ?? "";
      return text;
    };
  },
};

/** The SDK sends the request, on our `fetch`, and the response is read by hand. */
export const rawReaders: Readonly<Record<SimulatedApi, (place: Place) => Reader>> = {
  chat_completions({ baseUrl, model, fetch }) {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: KEY, fetch });
    return async () =>
      readByHand(await client.chat.completions.create({ model, messages, stream: true }).asResponse(), textOf.chat_completions);
  },
  responses({ baseUrl, model, fetch }) {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: KEY, fetch });
    return async () => readByHand(await client.responses.create({ model, input: QUESTION, stream: true }).asResponse(), textOf.responses);
  },
  messages({ baseUrl, model, fetch }) {
    const client = new Anthropic({ baseURL: baseUrl, apiKey: KEY, fetch });
    return async () =>
      readByHand(await client.messages.create({ model, messages, max_tokens: 4096, stream: true }).asResponse(), textOf.messages);
  },
  generate_content({ baseUrl, model, fetch: ask }) {
    return async () => {
      // This SDK gives no raw response: its `fetch` keeps it.
      let kept: Response | null = null;
      const fetch: typeof globalThis.fetch = async (...request) => {
        kept = await ask(...request);
        return new Response(null);
      };
      const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl, fetch } });
      await client.models.generateContentStream({ model, contents: QUESTION });
      if (kept === null) throw new Error("The SDK sent no request.");
      return readByHand(kept, textOf.generate_content);
    };
  },
};

/** One request of Chat Completions, sent by `fetch` and read to its end or to the abort. */
export async function fetchPlainly(baseUrl: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ model: "bench", messages, stream: true });
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal,
  });
  await readByHand(response, textOf.chat_completions);
}

/** What of an event is text. */
type TextOf = (event: unknown) => string | undefined;

export const textOf: Readonly<Record<SimulatedApi, TextOf>> = {
  chat_completions: (event) => (event as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta?.content,
  responses: (event) => {
    const { type, delta } = event as { type: string; delta?: string };
    return type === "response.output_text.delta" ? delta : "";
  },
  messages: (event) => (event as { delta?: { text?: string } }).delta?.text,
  generate_content: (event) =>
    (event as { candidates?: { content?: { parts?: { text?: string }[] } }[] }).candidates?.[0]?.content?.parts?.[0]?.text,
};

/** The shortest reader of an event stream: lines that begin with `data: `, each of them JSON. */
export async function readByHand(response: Response, text: TextOf): Promise<string> {
  if (response.body === null) throw new Error("The response has no body.");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let whole = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return whole;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("data: ") && !line.startsWith("data: [DONE]")) whole += text(JSON.parse(line.slice(6))) ?? "";
  }
}
