import type { Io } from "../io.js";
import { askKeys } from "./ask-keys.js";
import type { Prompts } from "./prompts.js";
import { lookAround, type Surroundings } from "./surroundings.js";

/** Looks until there is somebody to ask, or the person wants something else; then that has been said. */
export async function findSomebody(prompts: Prompts, io: Io): Promise<Surroundings | "demo" | "later"> {
  for (;;) {
    const found = await lookAround(io);
    if (found.ready.length > 0) return found;
    prompts.say("warning", "No key of a provider is set, and no model server runs on this machine.");
    const way = await prompts.select<"key" | "again" | "demo" | "later">("How shall we begin?", [
      { value: "key", label: "enter a key", hint: "of OpenAI, Anthropic, Google, OpenRouter, Groq, …" },
      { value: "again", label: "look again", hint: "when Ollama, LM Studio, vLLM or SGLang has started" },
      { value: "demo", label: "watch a simulated team", hint: "no key, no network" },
      { value: "later", label: "leave" },
    ]);
    if (way === "key") await askKeys(prompts, io);
    else if (way === "demo") {
      prompts.close("massgen demo");
      return "demo";
    } else if (way === "later") {
      prompts.close("Whenever you like: massgen. What is missing: massgen doctor");
      return "later";
    }
  }
}
