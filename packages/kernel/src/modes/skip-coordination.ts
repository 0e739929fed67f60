import type { CoordinationEvent } from "@massgen/contracts";
import type { RunState } from "../state.js";
import { selectedWithoutVotes } from "./selected.js";

/** The first agent presents at once, with no answers to stand on (docs/spec/coordination.md 1.20). */
export function skipCoordination({ order }: RunState): readonly CoordinationEvent[] {
  const [agent] = order;
  if (agent === undefined) return [];
  return [
    { type: "coordination_skipped", agent },
    selectedWithoutVotes(agent, null, "skipped", order.length === 1 ? "single" : "none"),
    { type: "phase_changed", from: "coordinating", to: "presenting" },
    { type: "presentation_started", agent, label: null, round: 0, strategy: "direct" },
  ];
}
