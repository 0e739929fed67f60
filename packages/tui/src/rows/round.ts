import type { AgentId } from "@massgen/contracts";
import { formatDuration } from "@massgen/views";
import type { ScreenState } from "../state.js";

/** `round 1 · 12.3 s`: the newest round of an agent and how long it has been going on, or took. Empty before any. */
export function roundOf({ view, recordAheadMs, nowMs }: ScreenState, id: AgentId): string {
  const round = view.agents.get(id)?.newestRound ?? null;
  if (round === null) return "";
  const nowAt = recordAheadMs === null ? round.startedAt : nowMs + recordAheadMs;
  return `${nameOf(round)} · ${formatDuration(Math.max(0, (round.endedAt ?? nowAt) - round.startedAt))}`;
}

const nameOf = ({ kind, round }: { readonly kind: string; readonly round: number }): string => {
  if (kind === "presentation") return "final answer";
  return kind === "post_evaluation" ? "judging" : `round ${round}`;
};
