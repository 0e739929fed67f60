import type { CoordinationEvent } from "@massgen/contracts";
import { deliverWithPrompt } from "../inputs.js";
import type { RunState } from "../state.js";
import { selectedWithoutVotes } from "./selected.js";

/** The first agent presents at once, with no answers to stand on (docs/spec/coordination.md 1.20). */
export function skipCoordination(state: RunState): readonly CoordinationEvent[] {
  const [agent] = state.order;
  if (agent === undefined) return [];
  return [
    { type: "coordination_skipped", agent },
    selectedWithoutVotes(agent, null, "skipped", state.order.length === 1 ? "single" : "none"),
    { type: "phase_changed", from: "coordinating", to: "presenting" },
    { type: "presentation_started", agent, label: null, round: 0, strategy: "direct" },
    ...deliverWithPrompt(state, agent, 0),
  ];
}
