import type { TurnRequest } from "@massgen/contracts";
import type { SimulatedPrompt } from "@massgen/simulator";
import type { View } from "./script.js";

/** What of a request a script goes by, whichever way it came. */
export interface Glimpse {
  readonly texts: readonly string[];
  /** The model may not call anything. */
  readonly mayNotCall: boolean;
}

export const glimpseOfTurn = (request: TurnRequest): Glimpse => ({
  mayNotCall: request.toolChoice === "none",
  texts: request.messages.flatMap((message) => {
    if (message.role === "system") return [];
    if (message.role === "tool")
      return message.results.flatMap(({ output }) => output.parts.map((part) => (part.type === "text" ? part.text : "")));
    return message.parts.map((part) => (part.type === "text" ? part.text : ""));
  }),
});

export const glimpseOfPrompt = (prompt: SimulatedPrompt): Glimpse => ({
  mayNotCall: prompt.toolChoice === "none",
  texts: prompt.messages.map((message) => message.text),
});

const ANSWER = /<answer from="(agent\d+)">/g;

export function readView({ texts, mayNotCall }: Glimpse, sofar: Pick<View, "call" | "answered">): View {
  const shown = texts.flatMap((text) => [...text.matchAll(ANSWER)].map((match) => match[1]!));
  return { ...sofar, shown: [...new Set(shown)], presents: mayNotCall };
}
