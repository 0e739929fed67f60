import type { RunState } from "../state.js";

/** Milliseconds the question whether a task needs what cannot be undone may take, whoever is asked. */
export const PLANNING_MS = 60_000;

/** Some tools are reserved for the presentation. */
export const isPlanning = (state: RunState): boolean => state.planning?.verdict?.irreversible === true;

/** Whether an outside tool of this name may only be used by the presenter: every one when none is named. */
export function isReserved(state: RunState, tool: string): boolean {
  const verdict = state.planning?.verdict;
  if (verdict?.irreversible !== true) return false;
  return verdict.blockedTools.length === 0 || verdict.blockedTools.includes(tool);
}

/** The run waits to be told what of its task cannot be undone. */
export const isAnalysisDue = ({ phase, planning }: RunState): boolean => phase === "preparing" && planning?.verdict === null;
