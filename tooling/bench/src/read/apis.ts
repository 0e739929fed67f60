import { createAnthropic } from "@massgen/backend-anthropic";
import { createChatCompletions } from "@massgen/backend-chat-completions";
import { createGemini } from "@massgen/backend-gemini";
import { createOpenAI } from "@massgen/backend-openai";
import type { BackendAdapter } from "@massgen/contracts";
import type { SimulatedApi } from "@massgen/simulator";

export const APIS: readonly SimulatedApi[] = ["chat_completions", "responses", "messages", "generate_content"];

/** Where and how to ask. */
export interface Place {
  readonly baseUrl: string;
  readonly model: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Loopback takes any key. */
export const KEY = "bench-key";

const CREATORS = {
  chat_completions: createChatCompletions,
  responses: createOpenAI,
  messages: createAnthropic,
  generate_content: createGemini,
} as const;

export function openBackend(api: SimulatedApi, { baseUrl, model, fetch }: Place): BackendAdapter {
  return CREATORS[api]({ model, apiKey: KEY, baseUrl, maxRetries: 0, ambient: { fetch } });
}
