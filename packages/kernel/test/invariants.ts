import type { CoordinationEvent } from "@massgen/contracts";
import {
  type AgentState,
  agentsOf,
  answerAt,
  currentAnswers,
  decide,
  evolve,
  isLive,
  isSettled,
  liveAgents,
  outstanding,
  type Policy,
  type RunState,
  type Standing,
  unseenAnswers,
} from "@massgen/kernel";

/** Legal changes of an agent's standing (docs/spec/coordination.md 1.2). */
const LEGAL: Readonly<Record<Standing, readonly Standing[]>> = {
  waiting: ["streaming", "stopped", "abstained", "timeout", "cancelled", "completed"],
  // `restarting` only by a fresh start after stagnation.
  streaming: ["restarting", "answered", "voted", "abstained", "stopped", "error", "timeout", "cancelled", "waiting", "completed"],
  answered: ["streaming", "stopped", "abstained", "restarting", "timeout", "cancelled", "completed"],
  voted: ["restarting", "completed"],
  stopped: ["restarting", "completed"],
  abstained: ["restarting", "completed"],
  restarting: ["streaming", "stopped", "abstained", "timeout", "cancelled", "completed"],
  error: ["streaming", "completed"],
  timeout: [],
  cancelled: [],
  completed: ["streaming", "cancelled"],
};

/** Folds one decision fact by fact and lists every invariant it breaks (docs/spec/coordination.md 1.23). */
export function violationsOf(
  before: RunState,
  facts: readonly CoordinationEvent[],
  policy: Policy,
): { readonly state: RunState; readonly violations: readonly string[] } {
  const violations: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) violations.push(what);
  };
  let state = before;
  for (const fact of facts) {
    check(state.phase !== "finished" || fact.type === "run_finished", `I6: ${fact.type} after the run finished`);
    check(!(fact.type === "run_finished" && state.status !== null), "I10: the run finished twice");
    if (fact.type === "vote_cast") checkVote(state, fact, check);
    if (fact.type === "winner_selected") checkWinner(state, fact, facts, policy, check);
    checkVoting(state, fact, facts, policy, check);
    const next = evolve(state, fact);
    for (const agent of agentsOf(next)) {
      const was = state.agents[agent.card.id];
      if (was === undefined) continue;
      // A later attempt begins anew: from wherever an agent stood it waits, or stays out.
      if (fact.type === "attempt_restarted") {
        check(agent.standing === (was.failure?.kind === "backend_fatal" ? "error" : "waiting"), `${agent.card.id} is ${agent.standing}`);
        continue;
      }
      const legal = was.standing === agent.standing || LEGAL[was.standing].includes(agent.standing);
      check(legal, `${agent.card.id} went from ${was.standing} to ${agent.standing} by ${fact.type}`);
      check(agent.attempts <= policy.maxAttemptsPerRound, `${agent.card.id} used ${agent.attempts} attempts in a round`);
      check(agent.answers <= capOf(next, policy), `${agent.card.id} has ${agent.answers} answers`);
      check(
        next.mode !== "decomposition" || agent.streak <= (policy.maxAnswersPerAgent ?? 20),
        `${agent.card.id} gave ${agent.streak} answers without a look at the others`,
      );
    }
    if (fact.type === "answer_submitted") {
      check(next.answers.length === state.answers.length + 1, "I1: an accepted answer is one more epoch");
      check(
        agentsOf(next).every((agent) => agent.vote === null),
        "I2: a vote survived an accepted answer",
      );
      check(
        state.answers.every((answer) => answer.label !== fact.label),
        `label ${fact.label} was used twice`,
      );
      const voters = agentsOf(state)
        .filter((agent) => agent.vote !== null)
        .map((agent) => agent.card.id);
      const said = facts.find((other) => other.type === "vote_invalidated" && other.byLabel === fact.label);
      check(
        voters.length === 0 ? said === undefined : said?.type === "vote_invalidated" && said.voters.join() === voters.join(),
        "I2: the voided votes are not named",
      );
    }
    state = next;
  }
  checkWork(state, policy, check);
  return { state, violations };
}

/** Answers of one agent that no rule lets pass. In decomposition the cap counts answers in a row. */
function capOf({ mode }: RunState, policy: Policy): number {
  if (mode === "sequential") return 1;
  if (mode === "decomposition") return policy.maxRounds ?? 20;
  if (mode !== "refine") return Math.min(policy.maxAnswersPerAgent ?? 20, policy.maxRounds ?? 20);
  return Math.min(
    policy.maxRounds ?? 20,
    policy.maxAnswersPerAgent ?? 20,
    policy.maxRounds === null && policy.maxAnswersPerAgent === null ? 2 : 20,
  );
}

type Check = (holds: boolean, what: string) => void;

function checkVote(state: RunState, vote: Extract<CoordinationEvent, { type: "vote_cast" }>, check: Check): void {
  const voter = state.agents[vote.agent]!;
  const target = answerAt(state, vote.targetLabel);
  check(target !== undefined && target.by === vote.target, "I3: a vote targets an answer that does not exist");
  check((voter.seen[vote.target] ?? 0) === target?.version, "I3: a vote targets a version its voter has not seen");
  check(voter.vote === null, "an agent voted twice in one epoch");
  check(voter.hardTimeout || unseenAnswers(state, voter).length === 0, "EC36: a stale vote was counted");
}

/** Everybody there is has said what it may say. */
function maySelect(state: RunState, policy: Policy): boolean {
  const live = liveAgents(state);
  if (state.orchestratorTimeout || live.length === 0) return true;
  const globalCap = state.answersClosed || (policy.maxAnswersGlobal !== null && state.answers.length >= policy.maxAnswersGlobal);
  const hasSpoken = (agent: AgentState): boolean => {
    if (isSettled(agent)) return true;
    if (state.mode === "single" || state.mode === "sequential") return agent.answers > 0;
    const isShort = agent.answers > 0 && (state.spending.agents.get(agent.card.id)?.may ?? "answer") !== "answer";
    if (state.mode === "refine" && (state.answersClosed || isShort || agent.answers >= capOf(state, policy))) return true;
    return policy.skipVoting && state.mode !== "decomposition" && (agent.answers > 0 || globalCap);
  };
  return (
    live.every(hasSpoken) ||
    (state.mode === "sequential" && agentsOf(state).some((agent) => (!isLive(agent) || isSettled(agent)) && agent.answers === 0))
  );
}

function checkWinner(
  state: RunState,
  won: Extract<CoordinationEvent, { type: "winner_selected" }>,
  decision: readonly CoordinationEvent[],
  policy: Policy,
  check: Check,
): void {
  const passed = currentAnswers(state).some(({ verification }) => verification?.passed === true);
  const winning = won.label === null ? undefined : answerAt(state, won.label);
  if (policy.verifyRequired && passed && state.mode !== "decomposition" && won.selection !== "presenter")
    check(winning?.verification?.passed === true, `W21: ${won.label} won, whose check did not pass, while another's did`);
  if (won.selection === "skipped") {
    check(won.label === null && state.answers.length === 0 && policy.skipCoordination, "only skipped coordination has no answer to choose");
    return;
  }
  const converged = decision.find((fact) => fact.type === "converged");
  check(converged === undefined || converged.label === won.label || won.isTie, "the team converged on another answer than the winner");
  check(converged !== undefined || maySelect(state, policy), "a winner was selected before every live agent had its say");
  check(won.label !== null && answerAt(state, won.label)?.by === won.winner, "the winner is not the author of the winning answer");
  check(won.selection !== "votes" || state.mode === "voting", `votes decided in the mode ${state.mode}`);
  check((won.selection === "single") === (state.order.length === 1), "one agent, and only one, wins as the single one");
  const weights = new Map<string, number>();
  for (const { vote } of agentsOf(state))
    if (vote !== null) weights.set(vote.targetLabel, (weights.get(vote.targetLabel) ?? 0) + vote.weight);
  if (won.selection === "votes") {
    check(
      won.tally.length === weights.size && won.tally.every(({ label, weight }) => Math.abs((weights.get(label) ?? -1) - weight) < 1e-9),
      "the tally is not the sum of the current votes",
    );
    const standing = [...weights].filter(([label]) => !(won.excluded ?? []).some((out) => out === label)).map(([, weight]) => weight);
    const top = Math.max(...standing);
    check(top - (weights.get(won.label ?? "") ?? -1) < 1e-9, "the winner has not the most votes");
    const tied = standing.filter((weight) => top - weight < 1e-9).length > 1;
    check(tied === won.isTie, "a tie was not called a tie");
  }
  if (won.selection === "latest_answer")
    check(
      (weights.size === 0 || (won.excluded ?? []).length > 0) &&
        state.answers.findLast(
          ({ label, by }) => !(won.excluded ?? []).includes(label) && currentAnswers(state).some((a) => a.label === label && a.by === by),
        )?.label === won.label,
      "without votes the latest answer that may win wins",
    );
}

/** How votes come to a decision: debates and fresh starts are counted, and nothing is accepted that a rule excludes. */
function checkVoting(state: RunState, fact: CoordinationEvent, decision: readonly CoordinationEvent[], policy: Policy, check: Check): void {
  switch (fact.type) {
    case "answer_submitted":
      check(fact.salvaged || !state.answersClosed, "an answer was accepted after answers were closed");
      check(
        state.mode === "sequential" ||
          policy.skipVoting ||
          policy.novelty !== "strict" ||
          fact.maxSimilarity === null ||
          fact.maxSimilarity <= 0.5,
        `an answer ${fact.maxSimilarity} alike was accepted`,
      );
      return;
    case "vote_cast": {
      const most = fact.agent === fact.target ? policy.selfVoteWeight : 1;
      check(fact.weight >= 0 && fact.weight <= most, `a vote weighs ${fact.weight}`);
      check(fact.confidence === null || (fact.confidence >= 0 && fact.confidence <= 1), `a confidence of ${fact.confidence}`);
      return;
    }
    case "debate_started":
      check(fact.debate === state.debates + 1 && fact.debate <= (policy.maxRounds ?? 3) - 1, `debate ${fact.debate} of ${fact.of}`);
      check(fact.voters.length > 0 && liveAgents(state).every(isSettled), "a debate began before everybody had voted");
      return;
    case "stagnation_restart":
      check(!state.progress.hasRestarted && policy.enableRestarts, "a fresh start that may not be");
      return;
    case "converged":
      check(policy.convergenceThreshold === fact.threshold, "a run converged that was asked for no agreement");
      check(
        decision.some((other) => other.type === "winner_selected"),
        "a run converged without a winner",
      );
      return;
    default:
  }
}

/** What the state calls for: nothing twice, never nothing before the end, nothing afterwards. */
function checkWork(state: RunState, policy: Policy, check: Check): void {
  const effects = outstanding(state, policy);
  const rounds = effects.flatMap((effect) => (effect.kind === "run_round" ? [effect.agent] : []));
  check(new Set(effects.map((effect) => effect.id)).size === effects.length, "two pieces of work under one id");
  check(new Set(rounds).size === rounds.length, "I4: an agent has two running rounds");
  if (state.phase === "coordinating") check(rounds.length > 0, "nothing runs although coordination is not complete");
  if (state.phase === "presenting")
    check(
      effects.some((effect) => effect.kind === "present"),
      "nobody presents",
    );
  if (state.phase === "preparing")
    check(
      effects.some((effect) => effect.kind === "analyse" || effect.kind === "paraphrase" || effect.kind === "divide"),
      "nobody is asked before the rounds",
    );
  if (state.phase === "evaluating") {
    check(
      effects.some((effect) => effect.kind === "evaluate"),
      "nobody judges",
    );
    check(state.attempt <= policy.maxRestarts, "the last attempt is judged");
  }
  check(state.attempt <= policy.maxRestarts + 1, `attempt ${state.attempt} of ${policy.maxRestarts + 1}`);
  if (state.phase === "finished") {
    check(effects.length === 0, "work is called for after the end");
    check(decide(state, { type: "cancel_requested", reason: "", texts: {} }, policy).length === 0, "I6: a finished run takes a signal");
  }
  if (state.mode === "sequential") check(rounds.length <= 1, "two stages run at once");
  for (const id of rounds) check(isLive(state.agents[id]!), `${id} is gone and still works`);
  checkHold(state, policy, check);
}

/** Rulings on the order of work: with three or more agents nobody evaluates while a first answer is awaited. */
function checkHold(state: RunState, policy: Policy, check: Check): void {
  if (state.mode === "sequential" || policy.skipVoting) return;
  const defers = policy.deferVotingUntilAllAnswered ?? state.order.length >= 3;
  const open = liveAgents(state).filter((agent) => agent.answers === 0 && !agent.hasActed);
  const globalCap = policy.maxAnswersGlobal !== null && state.answers.length >= policy.maxAnswersGlobal;
  if (state.phase !== "coordinating" || !defers || open.length === 0 || state.stragglersGivenUp || globalCap) return;
  const evaluating = agentsOf(state).filter((agent) => agent.standing === "streaming" && agent.answers > 0);
  check(
    evaluating.length === 0,
    `${evaluating.map((agent) => agent.card.id).join()} evaluates while ${open[0]?.card.id} is on its first answer`,
  );
  check(currentAnswers(state).length < state.order.length, "an agent without answer has one");
}
