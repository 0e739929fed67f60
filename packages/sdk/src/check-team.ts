import { requireConfig } from "@massgen/config";
import { buildAgents } from "./build-agents.js";
import type { RunPlan } from "./prepare-run.js";

/**
 * Makes the agents of a plan and lets them go again: what would keep a run from starting is known before a question is.
 *
 * @throws MassgenError `MISSING_API_KEY`, `UNKNOWN_BACKEND` or `NOT_SUPPORTED`, as a run would
 */
export async function checkTeam(plan: Pick<RunPlan, "loaded" | "env" | "modulesFrom" | "rateLimits" | "prices">): Promise<void> {
  const { agents } = await buildAgents(requireConfig(plan.loaded), plan.env, {}, plan.modulesFrom, plan.rateLimits, plan.prices);
  await Promise.all(agents.map((agent) => agent.backend.dispose()));
}
