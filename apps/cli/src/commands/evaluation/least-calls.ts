import type { MassgenConfig } from "@massgen/config";

/**
 * Requests to models that one question takes when everything goes well and nobody improves anything: what a run costs at the
 * very least. How many more it takes is up to the agents.
 */
export function leastCalls({ agents, orchestrator }: MassgenConfig): number {
  const { skipCoordinationRounds, skipVoting, finalAnswerStrategy, coordinationMode, workflow } = orchestrator;
  if (agents.length === 1 || skipCoordinationRounds) return 1;
  if (workflow === "sequential") return agents.length;
  const answers = agents.length;
  const votes = skipVoting || coordinationMode === "decomposition" ? 0 : agents.length;
  return answers + votes + (finalAnswerStrategy === "winner_reuse" && coordinationMode === "voting" ? 0 : 1);
}
