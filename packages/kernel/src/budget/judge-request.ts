import type { AgentId, BudgetConsequence, BudgetLimits, BudgetScope, CoordinationEvent } from "@massgen/contracts";
import { releaseUnjudged } from "../attempts/post-evaluation.js";
import { splitEvenly } from "../division/judge-division.js";
import { evolve } from "../evolve.js";
import { agentOf } from "../inspect.js";
import { isParaphraseDue, keepOriginal } from "../paraphrases/judge-paraphrases.js";
import { assumeTheWorst } from "../planning/judge-analysis.js";
import { isAnalysisDue } from "../planning/planning-mode.js";
import type { Policy } from "../policy.js";
import { finishPresentation } from "../present.js";
import type { Signal } from "../signal.js";
import type { AgentState, RunState } from "../state.js";
import { type LimitUse, limitsFor, type RequestNeed, refusedBy } from "./limits.js";
import { limitName, spendingOf } from "./spending.js";

type Offered = Extract<Signal, { type: "request_offered" }>;
type Reported = Extract<Signal, { type: "usage_reported" }>;

/**
 * A request that wants to go out, before it does. It is put on record when every limit has room for it; otherwise it is
 * not sent, and its agent abstains or the stored answer is final (docs/spec/coordination.md 7 W3).
 */
export function judgeRequest(state: RunState, signal: Offered, policy: Policy): readonly CoordinationEvent[] {
  const { budget } = policy;
  const { agent } = signal.fact;
  if (!isCalledFor(state, signal)) return [];
  if (budget === null) return [signal.fact];
  // Where the chosen answer is final as it stands, nothing is kept for presenting it.
  const isFinal =
    state.phase === "presenting" || state.phase === "evaluating" || policy.finalAnswer === "reuse" || givesResult(state, agent);
  const refused = refusedBy(limitsFor(state, agent, budget), needOf(state, signal), isFinal, budget);
  if (refused === null) return [signal.fact, ...warnings(evolve(state, signal.fact), agent, budget)];
  const consequence = consequenceOf(state, refused.scope);
  const exceeded: CoordinationEvent = { type: "budget_exceeded", agent, ...refused, consequence, lastText: signal.text };
  return [exceeded, ...goOnWithout(evolve(state, exceeded), signal, policy)];
}

/** The agent is at work on what this request belongs to. */
function isCalledFor(state: RunState, { fact }: Offered): boolean {
  const { phase, agents, decision, presentationRound, evaluation } = state;
  const agent = Object.hasOwn(agents, fact.agent) ? agents[fact.agent] : undefined;
  if (phase === "preparing") return askedBefore(state) === fact.agent;
  if (agent?.standing !== "streaming") return false;
  if (phase === "coordinating") return agent.round === fact.round;
  const round = phase === "presenting" ? presentationRound : phase === "evaluating" ? evaluation?.round : null;
  return decision?.winner === fact.agent && round === fact.round;
}

function askedBefore(state: RunState): AgentId | undefined {
  if (isAnalysisDue(state)) return state.planning?.analyst;
  return isParaphraseDue(state) ? state.paraphrasing?.asked : state.division?.asked;
}

/** Nobody presents after this agent: what it answers is the result, so the part of the budget that is kept for it is its own. */
const givesResult = ({ mode, order }: RunState, agent: AgentId): boolean =>
  mode === "single" || mode === "refine" || (mode === "sequential" && agent === order.at(-1));

/** What happens in place of the request that was not sent. */
function goOnWithout(state: RunState, { fact, text }: Offered, policy: Policy): readonly CoordinationEvent[] {
  switch (state.phase) {
    case "preparing":
      if (isAnalysisDue(state)) return assumeTheWorst(state, NO_ROOM, policy);
      return isParaphraseDue(state) ? keepOriginal(state, NO_ROOM, policy) : splitEvenly(state, NO_ROOM);
    case "presenting":
      return finishPresentation(state, null, "skipped", text, policy);
    case "evaluating":
      return releaseUnjudged(state, NO_ROOM);
    default:
      return [abstains(fact.agent)];
  }
}

const NO_ROOM = "the budget leaves no room for it";

function consequenceOf({ phase, mode }: RunState, scope: BudgetScope): BudgetConsequence {
  if (phase === "preparing") return "unasked";
  if (phase === "presenting") return "stored_answer";
  if (phase === "evaluating") return "unjudged";
  if (mode === "single" || scope === "run") return "run_ends";
  return scope === "agent" ? "agent_stops" : "round_ends";
}

export const abstains = (agent: AgentId): CoordinationEvent => ({ type: "agent_abstained", agent, code: "budget" });

/** Tokens as estimated; a response that nothing bounds is thought to be as long as the longest so far. Dollars at the agent's own rate. */
function needOf(state: RunState, { fact, inputTokens, maxOutputTokens }: Offered): RequestNeed {
  const own = spendingOf(state.spending, fact.agent);
  const tokens = inputTokens + (maxOutputTokens ?? own.longestResponse);
  return { tokens, costUsd: own.tokens === 0 ? 0 : (own.costUsd / own.tokens) * tokens };
}

/** What was used, and what comes of it. */
export function judgeUsage(state: RunState, { agent, round, usage }: Reported, { budget }: Policy): readonly CoordinationEvent[] {
  const recorded: CoordinationEvent = { type: "usage_recorded", agent, round, usage };
  if (budget === null) return [recorded];
  const after = evolve(state, recorded);
  const hasPriceLimit = budget.maxTotalCostUsd !== null || budget.maxAgentCostUsd !== null || budget.maxRoundCostUsd !== null;
  const isUnpriced = usage.costUsd === null && hasPriceLimit && !state.spending.unpriced.includes(agent);
  return [
    recorded,
    ...(isUnpriced ? [{ type: "price_unknown", agent } as const] : []),
    ...warnings(after, agent, budget),
    ...reducedToVoting(after, agentOf(after, agent), budget),
  ];
}

function warnings(state: RunState, agent: AgentId, budget: BudgetLimits): readonly CoordinationEvent[] {
  const { warned } = state.spending;
  const { round } = spendingOf(state.spending, agent);
  return limitsFor(state, agent, budget).flatMap((use): readonly CoordinationEvent[] => {
    const whose = use.scope === "run" ? null : agent;
    const isNew = use.used >= use.limit * budget.warnAt && !warned.includes(limitName(use.scope, use.unit, whose, round));
    return isNew ? [{ type: "budget_warning", agent: whose, ...use }] : [];
  });
}

/** The last part of an agent's own limits is for its votes. */
function reducedToVoting(state: RunState, agent: AgentState | undefined, budget: BudgetLimits): readonly CoordinationEvent[] {
  if (agent === undefined || state.phase !== "coordinating") return [];
  if (state.mode === "single" || state.mode === "sequential") return [];
  if (spendingOf(state.spending, agent.card.id).may !== "answer") return [];
  const isForVotes = ({ scope, used, limit }: LimitUse): boolean => scope === "agent" && used >= limit * (1 - budget.reserveForFinal);
  const use = limitsFor(state, agent.card.id, budget).find(isForVotes);
  return use === undefined
    ? []
    : [{ type: "budget_exceeded", agent: agent.card.id, ...use, requested: 0, consequence: "vote_only", lastText: agent.lastText }];
}
