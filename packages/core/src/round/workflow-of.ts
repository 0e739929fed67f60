import type { WorkflowTool } from "@massgen/contracts";
import type { Policy, RunState } from "@massgen/kernel";

/** Workflow tools that are defined in every request of a run, also where they may not be called. */
export function workflowOf({ mode }: RunState, policy: Policy): readonly WorkflowTool[] {
  if (mode === "single" || policy.skipCoordination) return [];
  if (mode === "decomposition") return ["new_answer", "stop"];
  return mode === "sequential" || (mode === "voting" && policy.skipVoting) ? ["new_answer"] : ["new_answer", "vote"];
}
