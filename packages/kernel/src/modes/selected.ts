import type { AgentId, AnswerLabel, Consensus, CoordinationEvent, Selection } from "@massgen/contracts";

export type WinnerSelected = Extract<CoordinationEvent, { type: "winner_selected" }>;

/** A decision that no vote had a part in. */
export const selectedWithoutVotes = (
  winner: AgentId,
  label: AnswerLabel | null,
  selection: Selection,
  consensus: Consensus,
): WinnerSelected => ({
  type: "winner_selected",
  winner,
  label,
  tally: [],
  consensus,
  selection,
  isTie: false,
  tieBrokenBy: null,
  tieBreakTrace: [],
  excluded: [],
});
