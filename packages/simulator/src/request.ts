import type { JsonValue } from "@massgen/contracts";

/** The vendor APIs the simulator speaks. */
export type SimulatedApi = "chat_completions" | "generate_content" | "messages" | "responses";

/** What the client lets the model call. */
export type SimulatedToolChoice = "auto" | "required" | "none" | { readonly tool: string };

export interface SimulatedToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the client sent them, normally the text of a JSON object. */
  readonly arguments: string;
}

export interface SimulatedMessage {
  readonly role: "user" | "assistant" | "tool";
  /** The text parts as one text, each on lines of its own; media is left out. */
  readonly text: string;
  readonly toolCalls?: readonly SimulatedToolCall[];
  /** Of a tool result: the call it answers. */
  readonly toolCallId?: string;
}

/** A request as the model sees it, the same for every API. */
export interface SimulatedPrompt {
  readonly model: string;
  /** All system and developer messages, joined by blank lines. */
  readonly system: string;
  /** The conversation without the system messages. */
  readonly messages: readonly SimulatedMessage[];
  /** Names of the defined tools, in the order of the request. */
  readonly tools: readonly string[];
  readonly toolSchemas: Readonly<Record<string, JsonValue>>;
  readonly toolChoice: SimulatedToolChoice;
  /** True when the client wants the answer as a stream of events. */
  readonly stream: boolean;
}

/** A request to a simulated model, with its place in the run. */
export interface SimulatedRequest extends SimulatedPrompt {
  readonly api: SimulatedApi;
  /** The value of the header `x-simulated-agent`; without it the model's name. Scripts and counters go by it. */
  readonly agent: string;
  /** How many requests of this agent came before; requests refused with a 400 do not count. */
  readonly index: number;
  /** Header names in lower case. Keys are shortened to their last four characters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  /** What the prompt counts, tools included. */
  readonly inputTokens: number;
}
