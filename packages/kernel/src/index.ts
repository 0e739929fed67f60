export { type AgentSpending, type Spending, type Spent, spendingOf } from "./budget/spending.js";
export { callableTools } from "./caps.js";
export { decide } from "./decide.js";
export type { Effect } from "./effect.js";
export { evolve } from "./evolve.js";
export { defersVoting } from "./gates/first-answers.js";
export { firstGate, holdingGates } from "./gates/holding-gates.js";
export { heardInputs, unheardInputs } from "./inputs.js";
export {
  acceptedAt,
  agentByAnon,
  agentOf,
  agentsOf,
  answerAt,
  currentAnswers,
  epochOf,
  isLive,
  isSettled,
  liveAgents,
  seenVersion,
  shownTo,
  unseenAnswers,
  unseenBy,
} from "./inspect.js";
export { isReport } from "./is-report.js";
export { anonIdAt, labelOf, parseVoteTarget } from "./labels.js";
export { isDone } from "./modes/is-done.js";
export { outstanding } from "./outstanding.js";
export { paraphraseFor } from "./paraphrases/paraphrase-for.js";
export { isPlanning, isReserved } from "./planning/planning-mode.js";
export { defaultPolicy, type Policy, SAFETY_CAP_ANSWERS } from "./policy.js";
export type { AnswerClaim, Sameness, Signal, StopClaim, VoteClaim } from "./signal.js";
export { similarityOf } from "./similarity.js";
export {
  type AgentState,
  type Answer,
  type CastVote,
  initialState,
  type PastAttempt,
  type RunState,
  type SaidInput,
  type Standing,
  type Stop,
  type Vote,
} from "./state.js";
export { clearedVotes, currentVotes, tallyVotes } from "./tally.js";
