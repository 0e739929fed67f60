import type { CoordinationEvent } from "@massgen/contracts";
import { isCapped } from "../caps.js";
import { isSettled, liveAgents } from "../inspect.js";
import type { Policy } from "../policy.js";
import type { RunState } from "../state.js";

/** Decomposition: agents that would begin a round in which they could only stop are stopped without being asked. */
export function automaticStops(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  if (state.mode !== "decomposition") return [];
  return liveAgents(state)
    .filter((agent) => agent.standing !== "streaming" && !isSettled(agent) && isCapped(state, agent, policy))
    .map((agent) => ({
      type: "agent_stopped",
      agent: agent.card.id,
      round: Math.max(0, agent.round),
      summary: "",
      status: agent.answers > 0 ? "complete" : "blocked",
      by: "limit",
    }));
}
