export type { LedgerEntry } from "./ledger.js";
export type { Respond, SimulatorOptions } from "./options.js";
export type { Pace, ReplyContent, ReplyToolCall, SimulatedReply, SimulatedUsage } from "./reply.js";
export type {
  SimulatedApi,
  SimulatedMessage,
  SimulatedPrompt,
  SimulatedRequest,
  SimulatedToolCall,
  SimulatedToolChoice,
} from "./request.js";
export { type Simulator, startSimulator } from "./simulator.js";
export { countTokens, splitTokens } from "./tokens.js";
export { chatCompletions } from "./wire/chat-completions.js";
export type { FinishReason, JsonObject, ReplyHead, StreamWriter, Violation, Wire, WireReading, WireUsage } from "./wire/wire.js";
