import type { AgentId } from "@massgen/contracts";
import { isPlanning, type RunState } from "@massgen/kernel";

/**
 * The last stage of a sequence presents nothing: its answer is the result, and what is to be written for the user it writes in
 * its round (docs/spec/coordination.md 1.22). After planning there is a presentation for that.
 */
export const actsAsPresenter = (state: RunState, agent: AgentId): boolean =>
  state.mode === "sequential" && state.order.at(-1) === agent && !isPlanning(state);
