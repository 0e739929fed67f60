import type { AgentState, RunState } from "./state.js";

/**
 * The state with some of it changed. A copy is made for every fact, so it is written out: V8 copies an object that was itself
 * made by spreading thirty times slower (`kernel.fold`). A field that is forgotten here does not compile.
 */
export const withChanges = (state: RunState, changes: Partial<RunState>): RunState => Object.assign(copyOf(state), changes);

/** The same for an agent. */
export const agentWith = (agent: AgentState, changes: Partial<AgentState>): AgentState => Object.assign(copyOfAgent(agent), changes);

const copyOf = (state: RunState): RunState => ({
  phase: state.phase,
  question: state.question,
  mode: state.mode,
  seq: state.seq,
  coordinatingSeq: state.coordinatingSeq,
  presentingSeq: state.presentingSeq,
  order: state.order,
  agents: state.agents,
  answers: state.answers,
  votes: state.votes,
  decision: state.decision,
  finalAnswer: state.finalAnswer,
  finalSnapshot: state.finalSnapshot,
  presentationRound: state.presentationRound,
  presentationStrategy: state.presentationStrategy,
  attempt: state.attempt,
  pastAttempt: state.pastAttempt,
  evaluation: state.evaluation,
  earlierAttemptUsed: state.earlierAttemptUsed,
  irreversibleTools: state.irreversibleTools,
  planning: state.planning,
  paraphrasing: state.paraphrasing,
  division: state.division,
  inputs: state.inputs,
  stragglersGivenUp: state.stragglersGivenUp,
  ballot: state.ballot,
  reopened: state.reopened,
  debates: state.debates,
  progress: state.progress,
  answerNow: state.answerNow,
  answersClosed: state.answersClosed,
  orchestratorTimeout: state.orchestratorTimeout,
  cancelled: state.cancelled,
  status: state.status,
  spent: state.spent,
  spending: state.spending,
});

const copyOfAgent = (agent: AgentState): AgentState => ({
  card: agent.card,
  standing: agent.standing,
  round: agent.round,
  roundSeq: agent.roundSeq,
  kind: agent.kind,
  tools: agent.tools,
  answers: agent.answers,
  streak: agent.streak,
  subtask: agent.subtask,
  stop: agent.stop,
  hasActed: agent.hasActed,
  hasActedLately: agent.hasActedLately,
  restarts: agent.restarts,
  seen: agent.seen,
  heard: agent.heard,
  attempts: agent.attempts,
  injections: agent.injections,
  vote: agent.vote,
  transientFailures: agent.transientFailures,
  failure: agent.failure,
  softTimeout: agent.softTimeout,
  wrapUpSeq: agent.wrapUpSeq,
  hardTimeout: agent.hardTimeout,
  pausedForFairness: agent.pausedForFairness,
  lastText: agent.lastText,
});
