import type { SimulatedApi } from "../request.js";
import { chatCompletions } from "./chat-completions.js";
import { generateContent } from "./generate-content.js";
import { messages } from "./messages.js";
import { responses } from "./responses.js";
import type { Wire } from "./wire.js";

/** Every API the simulator speaks. A new one is a file beside `chat-completions.ts` and an entry here. */
const WIRES: readonly Wire[] = [chatCompletions, generateContent, messages, responses];

export interface Route {
  readonly wire: Wire;
  readonly asks: "generate" | "models";
}

export function findRoute(method: string, path: string): Route | null {
  for (const wire of WIRES) {
    const asks = wire.route(method, path);
    if (asks !== null) return { wire, asks };
  }
  return null;
}

export function wireOf(api: SimulatedApi): Wire {
  return WIRES.find((wire) => wire.api === api)!;
}

/** The wire whose error object answers a path that nobody serves. */
export const fallbackWire: Wire = chatCompletions;
