import { type ApiFamily, namesModule, providerNames, providerOf } from "@massgen/config";
import { type BackendAdapter, MassgenError } from "@massgen/contracts";
import { chatCompletions } from "./backends/chat-completions.js";
import { createFromModule } from "./backends/from-module.js";
import { generateContent } from "./backends/generate-content.js";
import { messages } from "./backends/messages.js";
import type { BackendOrder, CreateBackend } from "./backends/order.js";
import { responses } from "./backends/responses.js";

/** The adapter of each API, loaded when the first agent needs it. A new one is one line here. */
const adapters: Partial<Readonly<Record<ApiFamily, () => Promise<CreateBackend>>>> = {
  chat_completions: chatCompletions,
  generate_content: generateContent,
  messages,
  responses,
};

/** Why no adapter can be made for a provider type; `null` when one can. */
export function whyUnsupported(type: string): MassgenError | null {
  const provider = providerOf(type);
  if (provider === null && namesModule(type)) return null;
  if (provider === null) {
    return new MassgenError("UNKNOWN_BACKEND", `${JSON.stringify(type)} is no backend type.`, {
      exitCode: 1,
      hint: `Types: ${providerNames.join(", ")}; a package of your own is named npm:<package>.`,
    });
  }
  if (adapters[provider.api] !== undefined) return null;
  return new MassgenError("NOT_SUPPORTED", `The backend type ${JSON.stringify(type)} is known but not supported yet.`, {
    exitCode: 1,
    hint: "Types that work today: openai, grok, claude, gemini and all that speak Chat Completions, such as chatcompletion with a base_url, groq, openrouter, ollama.",
  });
}

/** @throws MassgenError for a type without an adapter, options the adapter cannot work with, a module that gives none. */
export async function createBackend(order: BackendOrder): Promise<BackendAdapter> {
  if (namesModule(order.config.type)) return createFromModule(order);
  const unsupported = whyUnsupported(order.config.type);
  const load = adapters[providerOf(order.config.type)?.api ?? "framework"];
  if (unsupported !== null || load === undefined) throw unsupported;
  const create = await load();
  return create(order);
}
