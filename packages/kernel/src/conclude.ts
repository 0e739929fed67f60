import type { CoordinationEvent, PresentationFallback, RunStatus } from "@massgen/contracts";
import { endWithEarlierAttempt } from "./deliver.js";
import { evolve } from "./evolve.js";
import { agentOf, agentsOf, answerAt } from "./inspect.js";
import { salvageAnswer } from "./judge-answer.js";
import { isPlanning } from "./planning/planning-mode.js";
import type { Policy } from "./policy.js";
import { finishPresentation } from "./present.js";
import type { RunState } from "./state.js";
import { consensusOf, currentVotes, newestVotes, pickWinner, tallyVotes } from "./tally.js";

type WinnerSelected = Extract<CoordinationEvent, { type: "winner_selected" }>;

/** Coordination is over: choose the winner and begin its delivery, or end without one. */
export function conclude(state: RunState, policy: Policy): readonly CoordinationEvent[] {
  if (state.answers.length > 0) return deliver(state, selectWinner(state, policy), policy);
  // What an earlier attempt had presented is worth more than half a text of this one.
  const earlier = endWithEarlierAttempt(
    state,
    state.orchestratorTimeout ? "its time limit passed" : state.spending.isUsedUp ? "the budget was used up" : "every agent failed",
  );
  if (earlier !== null) return earlier;
  const author = agentsOf(state).find((agent) => agent.lastText.trim() !== "");
  if (author === undefined) return endWithoutAnswer(state);
  const salvaged = salvageAnswer(author);
  const after = salvaged.reduce(evolve, state);
  return [...salvaged, ...deliver(after, selectWinner(after, policy), policy)];
}

function selectWinner(state: RunState, policy: Policy): WinnerSelected {
  const byVotes = decideByVotes(state, policy);
  if (byVotes !== null) return byVotes;
  // Later answers were written with knowledge of the earlier ones.
  const latest = state.answers.at(-1);
  if (latest === undefined) throw new TypeError("selectWinner needs an answer");
  const single = state.mode === "single" || state.order.length === 1;
  return {
    type: "winner_selected",
    winner: latest.by,
    label: latest.label,
    tally: [],
    consensus: single ? "single" : "none",
    selection: single ? "single" : "latest_answer",
    isTie: false,
    tieBrokenBy: null,
    tieBreakTrace: [],
  };
}

/** After a time limit, or with the budget used up, the votes of an older epoch are better than none (docs/spec/coordination.md 1.14). */
function decideByVotes(state: RunState, policy: Policy): WinnerSelected | null {
  const current = currentVotes(state);
  const votes = current.length > 0 || !(state.orchestratorTimeout || state.spending.isUsedUp) ? current : newestVotes(state);
  const tally = tallyVotes(state, votes);
  const verdict = pickWinner(state, tally, votes, policy);
  const answer = verdict === null ? undefined : answerAt(state, verdict.label);
  if (verdict === null || answer === undefined) return null;
  return {
    type: "winner_selected",
    winner: answer.by,
    label: verdict.label,
    tally,
    consensus: consensusOf(state, verdict, tally, votes),
    selection: votes === current ? "votes" : "previous_epoch",
    isTie: verdict.isTie,
    tieBrokenBy: verdict.tieBrokenBy,
    tieBreakTrace: verdict.trace,
  };
}

/** The winner presents, or its stored answer is final without another model call. */
function deliver(state: RunState, selected: WinnerSelected, policy: Policy): readonly CoordinationEvent[] {
  // The winner of an early end may itself be at work: it goes over to presenting.
  const stillWorking = agentsOf(state).filter(
    ({ card, standing }) =>
      card.id !== selected.winner && (standing === "streaming" || standing === "restarting" || standing === "waiting"),
  );
  const opening: readonly CoordinationEvent[] = [
    ...stillWorking.map((agent) => ({ type: "agent_cancelled", agent: agent.card.id, reason: "decided" }) as const),
    selected,
    { type: "phase_changed", from: "coordinating", to: "presenting" },
  ];
  const reuse = reasonToReuse(state, selected);
  if (reuse !== undefined) return [...opening, ...finishPresentation(opening.reduce(evolve, state), null, reuse, "", policy)];
  const round = Math.max(...agentsOf(state).map((agent) => agent.round)) + 1;
  return [...opening, { type: "presentation_started", agent: selected.winner, label: selected.label, round }];
}

/** Why no presentation is asked for: `null` when the answer already is the final text, `undefined` when one is. */
function reasonToReuse(state: RunState, { winner, label }: WinnerSelected): PresentationFallback | null | undefined {
  const agent = agentOf(state, winner);
  if (state.orchestratorTimeout || state.spending.isUsedUp || answerAt(state, label)?.salvaged === true) return "skipped";
  // Alone, an agent's answer is final at once, unless it only planned what is to be done.
  if (state.mode === "single" && !isPlanning(state)) return null;
  if (agent?.standing === "timeout" || agent?.standing === "cancelled") return "failed_agent";
  const failed = agent?.standing === "error" ? agent.failure?.kind : undefined;
  return failed === undefined || failed === "protocol" || failed === "context_overflow" ? undefined : "failed_agent";
}

function endWithoutAnswer(state: RunState): readonly CoordinationEvent[] {
  const isOutOfBudget = state.spending.isUsedUp || [...state.spending.agents.values()].some(({ may }) => may === "nothing");
  const status: RunStatus = state.orchestratorTimeout ? "timeout" : isOutOfBudget ? "budget" : "error";
  const failures = agentsOf(state).map((agent) => `${agent.card.id}: ${agent.failure?.message ?? agent.standing}`);
  const message = state.orchestratorTimeout
    ? "The orchestrator's time limit passed before any agent had an answer."
    : isOutOfBudget
      ? "The budget was used up before any agent had an answer."
      : `No agent produced an answer. ${failures.join("; ")}`;
  return [
    { type: "phase_changed", from: "coordinating", to: "finished" },
    { type: "run_finished", status, winner: null, message },
  ];
}
