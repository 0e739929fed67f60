import type { CoordinationEvent, PresentationFallback, RunStatus } from "@massgen/contracts";
import { answerAt } from "./inspect.js";
import type { RunState } from "./state.js";

/**
 * Ends presentation and run. `content: null` reuses the stored answer of the winner, for the reason `fallback` gives;
 * `partial` is what the presenter had streamed until then.
 */
export function finishPresentation(
  state: RunState,
  content: string | null,
  fallback: PresentationFallback | null,
  partial: string,
): readonly CoordinationEvent[] {
  const { decision } = state;
  if (state.phase !== "presenting" || decision === null || state.finalAnswer !== null) return [];
  const stored = answerAt(state, decision.label);
  const status = statusOf(state, stored?.salvaged === true);
  return [
    { type: "presentation_finished", agent: decision.winner, content: content ?? stored?.content ?? "", fallback, partial },
    { type: "phase_changed", from: "presenting", to: "finished" },
    { type: "run_finished", status, winner: decision.winner, message: MESSAGE[status] },
  ];
}

/** The presenter's text, unless it is blank. */
export const judgePresented = (state: RunState, agent: string, content: string): readonly CoordinationEvent[] => {
  if (agent !== state.decision?.winner) return [];
  const text = content.trim();
  return text === "" ? finishPresentation(state, null, "empty", content) : finishPresentation(state, text, null, "");
};

function statusOf(state: RunState, salvaged: boolean): Extract<RunStatus, "completed" | "partial" | "timeout" | "cancelled"> {
  if (state.cancelled) return "cancelled";
  if (state.orchestratorTimeout) return "timeout";
  return salvaged ? "partial" : "completed";
}

const MESSAGE = {
  completed: null,
  cancelled: "The run was cancelled; the winner had been decided, its stored answer is final.",
  timeout: "The orchestrator's time limit passed; the best answer so far is final.",
  partial: "Every agent failed; the last text of one of them was kept as the answer.",
} as const;
