import type { RunEvent } from "@massgen/contracts";
import { foldLive } from "@massgen/views";
import type { ScreenState } from "./state.js";

/** The screen after one more event of the run. Pure. */
export function foldEvent(state: ScreenState, event: RunEvent): ScreenState {
  const next = foldLive(state, event);
  if (!("seq" in event)) return next;
  return {
    ...next,
    recordAheadMs: Math.max(event.at - state.nowMs, state.recordAheadMs ?? Number.NEGATIVE_INFINITY),
    isAnsweringNow: state.isAnsweringNow && next.view.state.decision === null,
  };
}
