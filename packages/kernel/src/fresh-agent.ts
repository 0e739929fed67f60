import type { AgentCard } from "@massgen/contracts";
import type { AgentState } from "./state.js";

/** An agent that has done nothing yet. */
export const freshAgent = (card: AgentCard): AgentState => ({
  card,
  standing: "waiting",
  round: -1,
  roundSeq: 0,
  kind: "initial",
  tools: [],
  answers: 0,
  streak: 0,
  subtask: null,
  stop: null,
  hasActed: false,
  hasActedLately: false,
  restarts: 0,
  seen: {},
  heard: 0,
  attempts: 0,
  injections: 0,
  vote: null,
  transientFailures: 0,
  failure: null,
  softTimeout: false,
  wrapUpSeq: null,
  hardTimeout: false,
  pausedForFairness: false,
  lastText: "",
});
