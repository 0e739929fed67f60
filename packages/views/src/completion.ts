import { liveAgents, type RunState } from "@massgen/kernel";

/**
 * How far a run has come, in percent (docs/spec/logs.md 4.8). While coordinating half of it is first answers and forty are
 * votes, or stops, of the current epoch; a new answer takes votes away, so callers keep the maximum.
 */
export function completionOf(state: RunState): number {
  switch (state.phase) {
    case "coordinating":
      return coordinating(state);
    case "presenting":
      return 92;
    case "evaluating":
      return 96;
    default:
      return 0;
  }
}

function coordinating(state: RunState): number {
  const live = liveAgents(state);
  if (live.length === 0) return 0;
  const answered = live.filter((agent) => agent.answers > 0).length / live.length;
  const total = state.order.length;
  if (state.mode === "sequential") return Math.floor((90 * state.answers.length) / total);
  const settled = live.filter((agent) => agent.vote !== null || agent.standing === "stopped").length / live.length;
  return Math.floor(50 * answered + 40 * settled);
}
