import type { Effect } from "./effect.js";
import { defersVoting, holdsForFirstAnswers, medianFirstAnswer } from "./gates/first-answers.js";
import { agentsOf, liveAgents, unseenAnswers } from "./inspect.js";
import { mayInject } from "./may-inject.js";
import { isParaphraseDue, PARAPHRASES_MS } from "./paraphrases/judge-paraphrases.js";
import { isAnalysisDue, PLANNING_MS } from "./planning/planning-mode.js";
import type { Policy } from "./policy.js";
import type { AgentState, RunState } from "./state.js";

type Timer = Extract<Effect, { kind: "timer" }>;

/** How long the hold on votes lasts at least, once the middle agent has answered. */
const MIN_STRAGGLER_WAIT_MS = 60_000;

/**
 * The work this state calls for, in configuration order: the same state and policy always call for the same work, so a
 * crash loses none of it. Empty exactly when the run is finished or has not begun.
 */
export function outstanding(state: RunState, policy: Policy): readonly Effect[] {
  if (state.phase === "preparing") return preparation(state, policy);
  if (state.phase === "presenting") return presentation(state, policy);
  if (state.phase === "evaluating") return evaluation(state, policy);
  if (state.phase !== "coordinating") return [];
  const running = agentsOf(state).filter((agent) => agent.standing === "streaming");
  const rounds = running.map((agent) => roundOf(state, agent, policy));
  return [
    ...rounds.map(({ round }) => round),
    ...rounds.flatMap(({ timers }) => timers),
    orchestratorTimer(state, policy),
    ...stragglerTimer(state, policy),
  ];
}

interface RoundWork {
  readonly answers: RunState["answers"];
  readonly attempt: number;
  readonly policy: Policy;
  readonly round: Effect;
  readonly timers: readonly Timer[];
}

/** What an agent at work calls for is the same object as long as it is the same: most of the team has not changed. */
function roundOf(state: RunState, agent: AgentState, policy: Policy): RoundWork {
  const { answers, attempt } = state;
  const known = roundsOf.get(agent);
  if (known !== undefined && known.answers === answers && known.attempt === attempt && known.policy === policy) return known;
  const work = { answers, attempt, policy, round: runRound(state, agent, policy), timers: roundTimers(state, agent, policy) };
  roundsOf.set(agent, work);
  return work;
}
const roundsOf = new WeakMap<AgentState, RoundWork>();

const runRound = (state: RunState, agent: AgentState, policy: Policy): Effect => ({
  kind: "run_round",
  id: `round:${inAttempt(state, `${agent.round}:${agent.card.id}`)}`,
  agent: agent.card.id,
  round: agent.round,
  inputs: roundInputs(state.answers, agent, policy),
});

/** What is unseen is found out when it is asked for: every answer changes it for everybody, and few of them ask. */
const roundInputs = (answers: RunState["answers"], agent: AgentState, policy: Policy): RoundInputs => ({
  get unseen() {
    // An agent on its first answer is left in peace: its answer is accepted, and afterwards it evaluates everything.
    return agent.answers > 0 && mayInject(agent, policy) ? unseenAnswers({ answers }, agent).map(({ label }) => label) : [];
  },
  tools: agent.tools,
  wrapUp: agent.softTimeout,
  hardTimeout: agent.hardTimeout,
});
type RoundInputs = Extract<Effect, { kind: "run_round" }>["inputs"];

function presentation(state: RunState, policy: Policy): readonly Effect[] {
  const { decision, presentationRound } = state;
  if (decision === null || presentationRound === null || state.finalAnswer !== null) return [];
  return [
    {
      kind: "present",
      id: `present:${inAttempt(state, decision.label ?? "direct")}`,
      agent: decision.winner,
      label: decision.label,
      round: presentationRound,
      inputs: null,
    },
    timer("presentation", inAttempt(state, "presentation"), null, state.presentingSeq, policy.limits.presentationMs),
  ];
}

/** Names work of a later attempt apart from that of the first under the same number. */
const inAttempt = ({ attempt }: RunState, name: string): string => (attempt === 1 ? name : `attempt${attempt}:${name}`);

function evaluation(state: RunState, policy: Policy): readonly Effect[] {
  const { decision, evaluation: running } = state;
  if (decision === null || running === null) return [];
  const name = inAttempt(state, decision.winner);
  return [
    { kind: "evaluate", id: `evaluate:${name}`, agent: decision.winner, round: running.round, inputs: null },
    timer("evaluation", name, null, running.seq, policy.limits.postEvaluationMs),
  ];
}

function analysis({ planning }: RunState): readonly Effect[] {
  if (planning === null) return [];
  const { analyst, seq } = planning;
  return [
    { kind: "analyse", id: `analyse:${analyst}`, agent: analyst, inputs: null },
    timer("planning", "planning", null, seq, PLANNING_MS),
  ];
}

function preparation(state: RunState, policy: Policy): readonly Effect[] {
  if (isAnalysisDue(state)) return analysis(state);
  return isParaphraseDue(state) ? paraphrases(state) : division(state, policy);
}

function paraphrases({ paraphrasing }: RunState): readonly Effect[] {
  if (paraphrasing === null) return [];
  const { asked, seq } = paraphrasing;
  return [
    { kind: "paraphrase", id: `paraphrase:${asked}`, agent: asked, inputs: null },
    timer("paraphrases", "paraphrases", null, seq, PARAPHRASES_MS),
  ];
}

function division({ division }: RunState, { limits }: Policy): readonly Effect[] {
  if (division === null || division.isDone) return [];
  const { asked, seq } = division;
  return [
    { kind: "divide", id: `divide:${asked}`, agent: asked, inputs: null },
    timer("division", "division", null, seq, limits.divisionMs),
  ];
}

const orchestratorTimer = (state: RunState, policy: Policy): Timer =>
  timer("orchestrator", inAttempt(state, "orchestrator"), null, state.coordinatingSeq, policy.limits.orchestratorMs);

function roundTimers(state: RunState, agent: AgentState, policy: Policy): readonly Timer[] {
  const softMs = agent.round === 0 ? policy.limits.initialRoundMs : policy.limits.subsequentRoundMs;
  const name = inAttempt(state, `${agent.round}:${agent.card.id}`);
  if (!agent.softTimeout) return softMs === null ? [] : [timer("soft", name, agent, agent.roundSeq, softMs)];
  // The grace counts from the moment the request to wrap up was really delivered.
  return agent.wrapUpSeq === null || agent.hardTimeout ? [] : [timer("hard", name, agent, agent.wrapUpSeq, policy.limits.roundGraceMs)];
}

/** Runs while somebody is held for others' first answers: `max(60 s, patience × m)` after m; at once with patience 0. */
function stragglerTimer(state: RunState, policy: Policy): readonly Timer[] {
  const factor = policy.stragglerPatience;
  if (factor === null || !defersVoting(state, policy) || !liveAgents(state).some((agent) => holdsForFirstAnswers(state, agent, policy)))
    return [];
  const median = medianFirstAnswer(state);
  if (median === null) return [];
  const scaled = { factor, fromSeq: state.coordinatingSeq, toSeq: median.seq };
  return [{ ...timer("stragglers", `${median.seq}`, null, median.seq, factor === 0 ? 0 : MIN_STRAGGLER_WAIT_MS), scaled }];
}

const timer = (limit: Timer["limit"], name: string, agent: AgentState | null, sinceSeq: number, afterMs: number): Timer => ({
  kind: "timer",
  id: `timer:${limit}:${name}`,
  limit,
  agent: agent?.card.id ?? null,
  sinceSeq,
  afterMs,
  scaled: null,
  inputs: null,
});
