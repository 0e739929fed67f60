export { DEMO_QUESTION } from "./demo/question.js";
export { type DemoAgent, demoTeam } from "./demo/team.js";
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
export { type RedirectOptions, redirectToSimulator } from "./stand-ins/redirect.js";
export { createStandIns, type StandIn } from "./stand-ins/stand-in-team.js";
export { fillerText } from "./team/filler-text.js";
export { createQuizTeam, type QuizTeamOptions } from "./team/quiz-team.js";
export { type PromptView, readPrompt, type ShownText } from "./team/read-prompt.js";
export { type Step, type StepFunction, step } from "./team/script.js";
export { type Script, scriptedTeam } from "./team/scripted-team.js";
export { createSimulatedTeam, type SimulatedTeamOptions } from "./team/simulated-team.js";
export { countTokens, splitTokens } from "./tokens.js";
export { chatCompletions } from "./wire/chat-completions.js";
export { messages } from "./wire/messages.js";
export { responses } from "./wire/responses.js";
export type { FinishReason, JsonObject, ReplyHead, StreamWriter, Violation, Wire, WireReading, WireUsage } from "./wire/wire.js";
