export type { Effect } from "./effect.js";
export { defaultPolicy, type Policy, SAFETY_CAP_ANSWERS } from "./policy.js";
export type { AnswerClaim, Signal, VoteClaim } from "./signal.js";
export { type AgentState, type Answer, type CastVote, initialState, type RunState, type Standing, type Vote } from "./state.js";
