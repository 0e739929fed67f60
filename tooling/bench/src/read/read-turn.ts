import type { BackendAdapter, TurnRequest } from "@massgen/contracts";

/** The tool that long arguments are for. */
const save = {
  name: "save",
  description: "Saves a text.",
  input: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
} as const;

const REQUEST: TurnRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "Which cache policy fits a read-heavy service?" }] }],
  tools: [save],
  toolChoice: "auto",
  maxOutputTokens: null,
  options: {},
};

export interface ReadTurn {
  readonly text: string;
  /** Input of the last call as JSON; empty without one. */
  readonly call: string;
}

/** @throws Error when the turn does not end well at once: then its time would mean nothing. */
export async function readTurn(backend: BackendAdapter, signal: AbortSignal = new AbortController().signal): Promise<ReadTurn> {
  let text = "";
  let call = "";
  for await (const event of backend.stream(REQUEST, signal)) {
    if (event.type === "text_delta") text += event.text;
    if (event.type === "tool_call") call = JSON.stringify(event.input);
    if (event.type === "turn_retried") throw new Error(event.message);
    if (event.type === "turn_failed") throw new Error(event.failure.message);
  }
  return { text, call };
}
