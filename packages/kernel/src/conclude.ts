import type { CoordinationEvent, PresentationFallback, RunStatus } from "@massgen/contracts";
import { endWithEarlierAttempt } from "./deliver.js";
import { evolve } from "./evolve.js";
import { deliverWithPrompt } from "./inputs.js";
import { agentOf, agentsOf, answerAt, currentAnswers, isLive } from "./inspect.js";
import { salvageAnswer } from "./judge-answer.js";
import { canPresent, presenterOf } from "./modes/decomposition.js";
import { selectedWithoutVotes, type WinnerSelected } from "./modes/selected.js";
import { isPlanning } from "./planning/planning-mode.js";
import type { Policy } from "./policy.js";
import { finishPresentation } from "./present.js";
import type { Answer, RunState } from "./state.js";
import { consensusOf, currentVotes, newestVotes, pickWinner, tallyVotes } from "./tally.js";
import { isExcluded, latestEligible } from "./verified.js";

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
  const excluded = currentAnswers(state).flatMap(({ label }) => (isExcluded(state, label, policy) ? [label] : []));
  return { ...chooseWinner(state, policy), excluded };
}

function chooseWinner(state: RunState, policy: Policy): WinnerSelected {
  // Later answers were written with knowledge of the earlier ones.
  const latest = latestEligible(state, policy);
  if (latest === undefined) throw new TypeError("selectWinner needs an answer");
  if (state.order.length === 1) return selectedWithoutVotes(latest.by, latest.label, "single", "single");
  const byVotes = decideByVotes(state, policy);
  if (byVotes !== null) return byVotes;
  const presenter = presenterByRule(state, policy);
  if (presenter !== null) return selectedWithoutVotes(presenter.by, presenter.label, "presenter", "none");
  return selectedWithoutVotes(latest.by, latest.label, "latest_answer", "none");
}

/** Who presents although nobody voted: who puts the parts together, or the first who can, to merge answers that are all equal. */
function presenterByRule(state: RunState, policy: Policy): Answer | null {
  if (state.mode === "decomposition") return presenterOf(state, policy);
  if (state.mode !== "voting" || !policy.skipVoting || policy.finalAnswer !== "synthesize") return null;
  const answered = agentsOf(state).filter((agent) => agent.answers > 0);
  const first = answered.find(isLive) ?? answered.find(canPresent);
  return currentAnswers(state).find((answer) => answer.by === first?.card.id) ?? null;
}

/** After a time limit, or with the budget used up, the votes of an older epoch are better than none (docs/spec/coordination.md 1.14). */
function decideByVotes(state: RunState, policy: Policy): WinnerSelected | null {
  const current = currentVotes(state);
  const votes = current.length > 0 || !(state.orchestratorTimeout || state.spending.isUsedUp) ? current : newestVotes(state);
  const tally = tallyVotes(state, votes);
  const verdict = pickWinner(
    state,
    tally.filter(({ label }) => !isExcluded(state, label, policy)),
    votes,
    policy,
  );
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
  const reuse = reasonToReuse(state, selected, policy);
  if (reuse !== undefined) return [...opening, ...finishPresentation(opening.reduce(evolve, state), null, reuse, "", policy)];
  const round = Math.max(...agentsOf(state).map((agent) => agent.round)) + 1;
  const strategy =
    state.mode === "decomposition" ? "assemble" : policy.finalAnswer === "synthesize" ? "synthesize" : ("winner_present" as const);
  const presenting: CoordinationEvent = { type: "presentation_started", agent: selected.winner, label: selected.label, round, strategy };
  return [...opening, presenting, ...deliverWithPrompt(state, selected.winner, round)];
}

/** An answer that nobody chose among others, or that the last of a row has given, already is the final text. */
const isTeamwork = ({ mode }: RunState): boolean => mode === "voting" || mode === "decomposition";

/** Why no presentation is asked for: `null` when the answer already is the final text, `undefined` when one is. */
function reasonToReuse(state: RunState, { winner, label }: WinnerSelected, policy: Policy): PresentationFallback | null | undefined {
  const agent = agentOf(state, winner);
  const { orchestratorTimeout, spending, answers } = state;
  const isSalvaged = answers.find((answer) => answer.label === label)?.salvaged === true;
  if (orchestratorTimeout || spending.isUsedUp || isSalvaged) return "skipped";
  // Who only planned what is to be done has still to do it.
  if (!isPlanning(state) && !isTeamwork(state)) return null;
  if (!isPlanning(state) && policy.finalAnswer === "reuse") return "skipped";
  if (agent?.standing === "timeout" || agent?.standing === "cancelled") return "failed_agent";
  return agent === undefined || agent.standing !== "error" || canPresent(agent) ? undefined : "failed_agent";
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
