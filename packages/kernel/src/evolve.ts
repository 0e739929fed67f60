import type { AgentId, AnswerLabel, CoordinationEvent, Usage } from "@massgen/contracts";
import { foldAttempt } from "./attempts/fold-attempt.js";
import { spend } from "./budget/spending.js";
import { agentWith, withChanges } from "./copy.js";
import { foldDivision } from "./division/fold-division.js";
import { evolveVoting, isUnlikeOthers } from "./evolve-voting.js";
import { freshAgent } from "./fresh-agent.js";
import { foldInput } from "./inputs.js";
import { agentOf, agentsOf, answerAt, isSettled, seenVersion, withAgents, withAnswer } from "./inspect.js";
import { foldParaphrases } from "./paraphrases/fold-paraphrases.js";
import { patchAgent } from "./patch-agent.js";
import { foldPlanning } from "./planning/fold-planning.js";
import type { AgentState, Answer, RunState, Standing } from "./state.js";

type Fact<T extends CoordinationEvent["type"]> = Extract<CoordinationEvent, { type: T }>;

/**
 * Folds one fact. Policy-free and total: a fact this version does not know only counts as a record, so that old readers
 * open newer logs.
 */
export function evolve(state: RunState, fact: CoordinationEvent): RunState {
  const known = ahead.get(state);
  return known?.fact === fact ? known.next : fold(state, fact);
}

/** The same for the kernel, which looks at what its facts lead to while it judges: whoever folds them then need not do it again. */
export function evolveAhead(state: RunState, fact: CoordinationEvent): RunState {
  const next = evolve(state, fact);
  ahead.set(state, { fact, next });
  return next;
}
const ahead = new WeakMap<RunState, { readonly fact: CoordinationEvent; readonly next: RunState }>();

function fold(state: RunState, fact: CoordinationEvent): RunState {
  const next = withChanges(state, { seq: state.seq + 1, spending: spend(state.spending, fact) });
  switch (fact.type) {
    case "run_started":
      return start(next, fact);
    case "phase_changed":
      return enter(next, fact);
    case "cancelled":
      return withChanges(next, { cancelled: true });
    case "orchestrator_timeout":
      return withChanges(next, { orchestratorTimeout: true });
    case "stragglers_given_up":
      return withChanges(next, { stragglersGivenUp: true });
    case "run_finished":
      return withChanges(next, { status: fact.status });
    case "usage_recorded":
      return withChanges(next, { spent: addUsage(next.spent, fact.usage) });
    case "answer_submitted":
      return submit(next, fact);
    case "vote_cast":
      return cast(next, fact);
    case "winner_selected":
      return select(next, fact);
    case "subtasks_set":
      return Object.entries(fact.subtasks).reduce((state, [id, subtask]) => patchAgent(state, id, { subtask }), next);
    case "presentation_started":
      return withChanges(patchAgent(next, fact.agent, { standing: "streaming", round: fact.round }), {
        presentationRound: fact.round,
        presentationStrategy: fact.strategy,
      });
    case "presentation_finished":
      return withChanges(
        patchAgent(next, fact.agent, ({ standing }) => ({ standing: standing === "streaming" ? "completed" : standing })),
        { finalAnswer: fact.content, finalSnapshot: fact.snapshot },
      );
    case "post_evaluation_started":
    case "post_evaluation_finished":
    case "attempt_restarted":
    case "earlier_attempt_used":
    case "irreversible_tool_ran":
      return foldAttempt(next, fact);
    case "paraphrasing_started":
    case "question_paraphrased":
      return foldParaphrases(next, fact);
    case "division_started":
    case "work_divided":
      return foldDivision(next, fact);
    case "input_received":
    case "input_delivered":
      return foldInput(next, fact);
    case "planning_analysis_started":
    case "planning_decided":
      return foldPlanning(next, fact);
    default:
      return evolveVoting(next, fact) ?? changeAgent(next, fact);
  }
}

function changeAgent(state: RunState, fact: CoordinationEvent): RunState {
  const agent = "agent" in fact && typeof fact.agent === "string" ? agentOf(state, fact.agent) : undefined;
  const change = agent === undefined ? null : changeOf(state, agent, fact);
  return agent === undefined || change === null ? state : patchAgent(state, agent.card.id, change);
}

/** What a fact about one agent changes in it; `null` for what only reports. */
function changeOf(state: RunState, agent: AgentState, fact: CoordinationEvent): Partial<AgentState> | null {
  switch (fact.type) {
    case "round_started":
      return {
        standing: "streaming",
        round: fact.round,
        roundSeq: state.seq,
        kind: fact.kind,
        tools: fact.tools,
        seen: show(state, {}, fact.shown),
        streak: bringsNews(state, agent, fact.shown) ? 0 : agent.streak,
        stop: null,
        attempts: 0,
        injections: 0,
        softTimeout: state.answerNow && fact.tools.includes("new_answer"),
        wrapUpSeq: null,
        hardTimeout: false,
      };
    case "update_injected":
      return {
        seen: show(state, agent.seen, fact.labels),
        tools: fact.tools,
        streak: 0,
        injections: agent.injections + fact.labels.length,
      };
    case "restart_completed":
      return { restarts: agent.restarts + 1 };
    case "answer_rejected":
    case "vote_rejected":
    case "enforcement_retry":
      return { attempts: fact.attempt };
    case "agent_abstained":
      return { standing: "abstained", ...ACTED };
    case "agent_stopped":
      return { standing: "stopped", ...ACTED, stop: { summary: fact.summary, status: fact.status, by: fact.by } };
    case "agent_failed":
      return fact.fatal
        ? { standing: "error", vote: null, failure: { kind: fact.kind, message: fact.message }, lastText: fact.lastText }
        : { standing: "waiting", transientFailures: agent.transientFailures + 1, lastText: fact.lastText };
    case "agent_timeout":
      return { standing: "timeout", vote: null, lastText: fact.lastText };
    case "agent_cancelled":
      return { standing: "cancelled", vote: null };
    case "budget_exceeded":
      return { lastText: fact.lastText === "" ? agent.lastText : fact.lastText };
    case "soft_timeout":
      return { softTimeout: true };
    case "wrap_up_delivered":
      return { wrapUpSeq: state.seq };
    case "hard_timeout":
      return { hardTimeout: true };
    case "fairness_pause":
      return { pausedForFairness: true };
    case "fairness_resume":
      return { pausedForFairness: false };
    default:
      return null;
  }
}

const ACTED = { hasActed: true, hasActedLately: true } as const;

const start = (state: RunState, fact: Fact<"run_started">): RunState =>
  withChanges(state, {
    question: fact.question,
    mode: fact.mode,
    order: fact.agents.map((card) => card.id),
    agents: Object.fromEntries(fact.agents.map((card) => [card.id, freshAgent(card)])),
  });

const enter = (state: RunState, { to }: Fact<"phase_changed">): RunState =>
  withChanges(state, {
    phase: to,
    coordinatingSeq: to === "coordinating" ? state.seq : state.coordinatingSeq,
    presentingSeq: to === "presenting" ? state.seq : state.presentingSeq,
  });

/** An accepted answer ends the epoch: its author has answered, and whoever had said its word must look again. */
function submit(state: RunState, fact: Fact<"answer_submitted">): RunState {
  const author = agentOf(state, fact.agent);
  if (author === undefined) return state;
  const answer: Answer = {
    label: fact.label,
    by: fact.agent,
    version: author.answers + 1,
    content: fact.content,
    fingerprint: fact.fingerprint,
    snapshot: fact.snapshot,
    verification: fact.verification ?? null,
    salvaged: fact.salvaged,
    seq: state.seq,
  };
  const changes: AgentState[] = [];
  for (const agent of agentsOf(state)) {
    const standing: Standing = isSettled(agent) ? "restarting" : agent.standing;
    if (agent !== author && (standing !== agent.standing || agent.vote !== null)) changes.push(agentWith(agent, { standing, vote: null }));
  }
  const standing = author.standing === "streaming" ? "answered" : author.standing;
  changes.push(agentWith(author, { answers: answer.version, streak: author.streak + 1, ...ACTED, standing, vote: null }));
  const progress = isUnlikeOthers(fact.maxSimilarity) ? { ...state.progress, hasNewAnswer: true } : state.progress;
  return withChanges(state, { answers: withAnswer(state, answer), agents: withAgents(state, changes), progress });
}

function cast(state: RunState, fact: Fact<"vote_cast">): RunState {
  const vote = {
    target: fact.target,
    targetLabel: fact.targetLabel,
    reason: fact.reason,
    confidence: fact.confidenceDefaulted ? null : fact.confidence,
    weight: fact.weight,
  };
  const voted = patchAgent(state, fact.agent, { standing: "voted", vote, ...ACTED });
  return voted === state
    ? state
    : withChanges(voted, { votes: [...state.votes, { ...vote, voter: fact.agent, epoch: state.answers.length, ballot: state.ballot }] });
}

/** Coordination is over: nothing more is expected of anybody but the presenter. */
function select(state: RunState, { winner, label, selection }: Fact<"winner_selected">): RunState {
  const DONE: readonly Standing[] = ["voted", "stopped", "abstained", "answered", "restarting", "waiting"];
  const agents = Object.fromEntries(
    state.order.map((id): [AgentId, AgentState] => {
      const agent = state.agents[id]!;
      return [id, DONE.includes(agent.standing) ? agentWith(agent, { standing: "completed" }) : agent];
    }),
  );
  return withChanges(state, { agents, decision: { winner, label, selection } });
}

/** Authors and versions of the given labels, on top of what was seen before. */
function show(state: RunState, seen: AgentState["seen"], labels: readonly AnswerLabel[]): AgentState["seen"] {
  if (labels.length === 0) return seen;
  const versions = new Map(Object.entries(seen));
  for (const label of labels) {
    const answer = answerAt(state, label);
    if (answer !== undefined) versions.set(answer.by, Math.max(answer.version, versions.get(answer.by) ?? 0));
  }
  return Object.fromEntries(versions);
}

/** Whether an answer of a peer is among these that the agent has not been shown before. */
const bringsNews = (state: RunState, agent: AgentState, labels: readonly AnswerLabel[]): boolean =>
  labels.some((label) => {
    const answer = answerAt(state, label);
    return answer !== undefined && answer.by !== agent.card.id && answer.version > seenVersion(agent, answer.by);
  });

const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
  reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
});
