import type { AgentId, AnswerLabel, CoordinationEvent } from "@massgen/contracts";
import { agentsOf, evolve, initialState, labelOf, outstanding, type Policy, type RunState, SAFETY_CAP_ANSWERS } from "@massgen/kernel";

type Fact<T extends CoordinationEvent["type"]> = Extract<CoordinationEvent, { type: T }>;
type Report = (violation: string) => void;

/**
 * The invariants of docs/spec/coordination.md 1.23 that a list of facts shows, checked on a whole log from its first fact on;
 * `state` is what the run says it came to. Gives one sentence per violation, and an empty list for a good log. Reads facts
 * only, so that it can be asked about the log of any run: one of a test, or one from disk.
 *
 * Not visible here: I5 beyond the texts of refusals, and I9.
 */
export function checkInvariants(state: RunState, facts: readonly CoordinationEvent[], policy: Policy): readonly string[] {
  const violations: string[] = [];
  const log: Log = { before: initialState, shown: new Map(), calls: new Set(), afterResume: false };
  for (const [place, fact] of facts.entries()) {
    const report: Report = (violation) => violations.push(`fact ${place + 1} (${fact.type}): ${violation}`);
    const after = evolve(log.before, fact);
    checkFact(fact, log, after, report);
    checkLimits(fact, after, policy, report);
    log.before = after;
    log.afterResume = fact.type === "run_resumed" || (log.afterResume && STARTS_AGAIN.has(fact.type));
  }
  checkEnd(state, log.before, facts, policy, (violation) => violations.push(`at the end: ${violation}`));
  return violations;
}

interface Log {
  before: RunState;
  /** What stands in each agent's running conversation. */
  readonly shown: Map<AgentId, Set<AnswerLabel>>;
  readonly calls: Set<string>;
  /** Only now may a round that was running start again under its number. */
  afterResume: boolean;
}

/** What a resume may be followed by while it starts the agents again: their rounds, which may open with what was said to them. */
const STARTS_AGAIN: ReadonlySet<CoordinationEvent["type"]> = new Set(["round_started", "input_delivered"]);

function checkFact(fact: CoordinationEvent, log: Log, after: RunState, report: Report): void {
  if (log.before.status !== null) report("I6: something was recorded after run_finished");
  switch (fact.type) {
    case "round_started":
      checkRound(fact, log, report);
      log.shown.set(fact.agent, new Set(fact.shown));
      return;
    case "update_injected":
      for (const label of fact.labels) log.shown.get(fact.agent)?.add(label);
      return;
    case "answer_submitted":
      checkAnswer(fact, log.before, after, report);
      return;
    case "vote_cast":
      checkVote(fact, log, report);
      return;
    case "attempt_restarted":
      checkRestart(fact, log, after, report);
      return;
    case "winner_selected":
      checkWinner(fact, log.before, report);
      return;
    case "llm_call":
      checkCall(fact, log, report);
      return;
    case "answer_rejected":
    case "vote_rejected":
    case "enforcement_retry":
      checkAnonymity(fact, log.before, report);
      return;
    default:
      return;
  }
}

/** What is of an attempt is gone; what is of the run is as it was. */
function checkRestart(fact: Fact<"attempt_restarted">, { before, shown }: Log, after: RunState, report: Report): void {
  shown.clear();
  if (fact.attempt !== before.attempt + 1) report(`attempt ${fact.attempt} follows attempt ${before.attempt}`);
  if (fact.attempt > fact.maxAttempts) report(`attempt ${fact.attempt} of ${fact.maxAttempts}`);
  if (before.phase !== "evaluating" || before.finalAnswer === null) report("an attempt was restarted that nobody had judged");
  if (after.answers.length > 0 || after.votes.length > 0 || after.decision !== null) report("I1: something of the attempt before is left");
  if (after.pastAttempt?.finalAnswer !== before.finalAnswer) report("what the attempt before had presented is lost");
  if (JSON.stringify(after.spent) !== JSON.stringify(before.spent)) report("what was spent was forgotten");
}

function checkRound(fact: Fact<"round_started">, { before, afterResume }: Log, report: Report): void {
  const agent = before.agents[fact.agent];
  if (agent === undefined) {
    report(`${fact.agent} takes no part in the run`);
    return;
  }
  const isNext = fact.round === agent.round + 1;
  const isAgain = fact.round === agent.round && afterResume;
  if (!isNext && !isAgain) report(`I4: ${fact.agent} goes from round ${agent.round} to ${fact.round}`);
  for (const label of fact.shown)
    if (!before.answers.some((answer) => answer.label === label)) report(`${label} is shown and does not exist`);
}

function checkAnswer(fact: Fact<"answer_submitted">, before: RunState, after: RunState, report: Report): void {
  if (after.answers.length !== before.answers.length + 1) report("I1: an accepted answer is one more epoch");
  const card = before.agents[fact.agent]?.card;
  const count = before.answers.filter((answer) => answer.by === fact.agent).length;
  if (card === undefined || fact.label !== labelOf(card.anon, count + 1)) report(`${fact.label} is not the next label of ${fact.agent}`);
  for (const agent of agentsOf(after)) if (agent.vote !== null) report(`I2: the vote of ${agent.card.id} survived`);
}

function checkVote(fact: Fact<"vote_cast">, { before, shown }: Log, report: Report): void {
  const target = before.answers.find((answer) => answer.label === fact.targetLabel);
  if (target === undefined) report(`I3: ${fact.targetLabel} does not exist`);
  else if (target.by !== fact.target) report(`I3: ${fact.targetLabel} is not by ${fact.target}`);
  if (shown.get(fact.agent)?.has(fact.targetLabel) !== true) report(`I3: ${fact.agent} was never shown ${fact.targetLabel}`);
  if (before.agents[fact.agent]?.vote !== null) report(`${fact.agent} has a vote in this epoch already`);
}

function checkWinner(fact: Fact<"winner_selected">, before: RunState, report: Report): void {
  if (fact.label === null) {
    if (fact.selection !== "skipped") report(`no answer was chosen, by ${fact.selection}`);
    return;
  }
  const answer = before.answers.find((known) => known.label === fact.label);
  if (answer?.by !== fact.winner) report(`${fact.label} is no answer of ${fact.winner}`);
  if (before.decision !== null) report("the winner was selected before");
  if (fact.selection !== "votes") return;
  const weights = new Map<AnswerLabel, number>();
  for (const { vote } of agentsOf(before))
    if (vote !== null) weights.set(vote.targetLabel, (weights.get(vote.targetLabel) ?? 0) + vote.weight);
  // Sums of confidences depend on the order in the last digits.
  const line = ({ label, weight }: { readonly label: AnswerLabel; readonly weight: number }): string =>
    `${label}=${Math.round(weight * 1e9) / 1e9}`;
  const counted = fact.tally.map(line).sort();
  const cast = [...weights].map(([label, weight]) => line({ label, weight })).sort();
  if (counted.join() !== cast.join()) report(`the tally ${counted.join()} is not that of the current votes, ${cast.join()}`);
}

function checkCall(fact: Fact<"llm_call">, { before, calls }: Log, report: Report): void {
  const agent = before.agents[fact.agent];
  const isKnown = agent !== undefined && (fact.status !== "started" || fact.round <= agent.round);
  if (!isKnown) report(`I7: ${fact.agent} has no round ${fact.round} for the request`);
  if (fact.status !== "started") return;
  if (calls.has(fact.callId)) report(`I7: request ${fact.callId} was started twice`);
  calls.add(fact.callId);
}

/** Refusals are read by the model. What stands in quotes is its own text. */
function checkAnonymity(fact: Fact<"answer_rejected" | "vote_rejected" | "enforcement_retry">, before: RunState, report: Report): void {
  const words = fact.message.replace(/"[^"]*"/g, "").split(/[^\p{L}\p{N}_.-]+/u);
  for (const { card } of agentsOf(before)) {
    for (const name of [card.id, card.model]) if (name !== card.anon && words.includes(name)) report(`I5: the message names ${name}`);
  }
}

function checkLimits(fact: CoordinationEvent, after: RunState, policy: Policy, report: Report): void {
  if (fact.type !== "answer_submitted" || fact.salvaged) return;
  const mine = after.answers.filter((answer) => answer.by === fact.agent).length;
  const rounds = policy.maxRounds ?? SAFETY_CAP_ANSWERS;
  // In decomposition the cap of an agent counts answers in a row.
  const cap = after.mode === "decomposition" ? rounds : Math.min(policy.maxAnswersPerAgent ?? SAFETY_CAP_ANSWERS, rounds);
  if (mine > cap) report(`${fact.agent} has ${mine} answers, more than ${cap}`);
  if (after.mode !== "sequential" && policy.maxAnswersGlobal !== null && after.answers.length > policy.maxAnswersGlobal)
    report(`there are ${after.answers.length} answers, more than ${policy.maxAnswersGlobal}`);
  if (after.answersClosed) report(`${fact.label} was accepted after answers were closed`);
}

function checkEnd(state: RunState, folded: RunState, facts: readonly CoordinationEvent[], policy: Policy, report: Report): void {
  if (JSON.stringify(folded) !== JSON.stringify(state)) report("I8: the facts do not fold to the state");
  const ends = facts.filter((fact) => fact.type === "run_finished").length;
  if (ends > 1) report(`I10: there are ${ends} run_finished`);
  if ((folded.phase === "finished") !== (ends === 1)) report(`I10: phase ${folded.phase} with ${ends} run_finished`);
  const work = outstanding(folded, policy);
  const isOver = folded.phase === "finished" || folded.phase === "idle";
  if (isOver && work.length > 0) report(`${work.length} pieces of work are called for in phase ${folded.phase}`);
  if (!isOver && work.every((effect) => effect.kind === "timer")) report("nothing runs and the run is not over");
  const rounds = work.flatMap((effect) => (effect.kind === "run_round" ? [effect.agent] : []));
  if (new Set(rounds).size < rounds.length) report("I4: an agent has two running rounds");
}
