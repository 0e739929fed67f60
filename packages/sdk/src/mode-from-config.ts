import type { MassgenConfig } from "@massgen/config";
import type { RunMode } from "@massgen/contracts";

/**
 * How the agents of a config work together. One agent answers directly, unless something is configured that only makes
 * sense with more than one answer (docs/spec/coordination.md 1.16).
 */
export function modeFromConfig({ agents, orchestrator }: Pick<MassgenConfig, "agents" | "orchestrator">): RunMode {
  if (agents.length > 1) return orchestrator.workflow === "sequential" ? "sequential" : orchestrator.coordinationMode;
  if (orchestrator.singleAgentMode === "auto") return asksForMore(orchestrator) ? "refine" : "single";
  return orchestrator.singleAgentMode === "refine" ? "refine" : "single";
}

const asksForMore = (orchestrator: MassgenConfig["orchestrator"]): boolean =>
  (orchestrator.maxRounds ?? 1) > 1 ||
  (orchestrator.maxNewAnswersPerAgent ?? 1) > 1 ||
  orchestrator.maxOrchestrationRestarts > 0 ||
  orchestrator.answerNoveltyRequirement !== "lenient";
