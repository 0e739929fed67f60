import type { Channel } from "./facts.js";
import type { AgentId, AnswerLabel } from "./ids.js";
import type { Message, ToolSpec } from "./message.js";

/**
 * The conversation of one round as it stands, for people and files: the prompt it began with and all that followed.
 * Kept beside the log, never read back by the engine.
 */
export interface RoundTranscript {
  readonly agent: AgentId;
  readonly round: number;
  readonly channel: Channel;
  readonly shown: readonly AnswerLabel[];
  readonly messages: readonly Message[];
  /** How many of the messages it began with: the prompt, or with it the earlier rounds of a conversation that goes on. */
  readonly openingMessages: number;
  readonly tools: readonly ToolSpec[];
}
