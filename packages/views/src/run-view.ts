import type { AgentId, AnswerLabel, EpochMillis, Recorded, RunId } from "@massgen/contracts";
import { evolve, initialState, type RunState } from "@massgen/kernel";
import { type AgentView, foldAgents, roundsOf } from "./agent-view.js";
import { type Ballot, foldBallots } from "./ballots.js";
import { type ActivityView, foldActivity, noActivity } from "./calls.js";
import { completionOf } from "./completion.js";
import { type DecisionView, decisionOf } from "./decision-view.js";
import { type LimitHit, limitOf } from "./limits.js";
import type { RoundView } from "./rounds.js";

type Fact<T extends Recorded["type"]> = Extract<Recorded, { type: T }>;

/** Where and when an answer was accepted; its text is in the kernel's state. */
export interface AnswerView {
  readonly label: AnswerLabel;
  readonly agent: AgentId;
  readonly seq: number;
  readonly at: EpochMillis;
  readonly iteration: number;
  readonly round: number;
  /** The epoch this answer began. */
  readonly epoch: number;
  readonly chars: number;
  readonly supersedes: AnswerLabel | null;
  readonly salvaged: boolean;
}

/** Everything a screen or a file shows of a run, folded from its facts. Rules live in `state`, which the kernel folds. */
export interface RunView {
  readonly state: RunState;
  readonly runId: RunId | null;
  readonly seed: number | null;
  readonly lastSeq: number;
  readonly startedAt: EpochMillis | null;
  readonly coordinatingAt: EpochMillis | null;
  readonly lastAt: EpochMillis | null;
  /** Actions of the run so far: accepted answers, votes and stops, abstentions, failures. */
  readonly iteration: number;
  readonly agents: ReadonlyMap<AgentId, AgentView>;
  readonly answers: readonly AnswerView[];
  readonly ballots: readonly Ballot[];
  readonly activity: ActivityView;
  readonly decision: DecisionView | null;
  /** What came of the agreement that was asked for; `null` when none was, or none has come yet. */
  readonly agreement: Fact<"converged"> | Fact<"convergence_missed"> | null;
  /** The view as it was when the decision fell: what `decision.json` and `decision.md` are made of, whenever they are made. */
  readonly atDecision: RunView | null;
  readonly presentationStarted: Fact<"presentation_started"> | null;
  readonly presentationFinished: Fact<"presentation_finished"> | null;
  /** Calls that the caller is to run; the run ended with them. */
  readonly clientCalls: Fact<"client_tools_called"> | null;
  readonly postEvaluation: Fact<"post_evaluation_finished"> | null;
  /** The views of earlier attempts as they ended, oldest first; everything else here is of the newest attempt. */
  readonly pastAttempts: readonly RunView[];
  readonly limits: readonly LimitHit[];
  readonly cancelled: Fact<"cancelled"> | null;
  readonly finished: Fact<"run_finished"> | null;
  /** Estimate in percent that never falls; the last step to 100 belongs to whoever knows that all files are written. */
  readonly completion: number;
}

export const emptyRunView: RunView = {
  state: initialState,
  runId: null,
  seed: null,
  lastSeq: 0,
  startedAt: null,
  coordinatingAt: null,
  lastAt: null,
  iteration: 0,
  agents: new Map(),
  answers: [],
  ballots: [],
  activity: noActivity,
  decision: null,
  agreement: null,
  atDecision: null,
  presentationStarted: null,
  presentationFinished: null,
  clientCalls: null,
  postEvaluation: null,
  pastAttempts: [],
  limits: [],
  cancelled: null,
  finished: null,
  completion: 0,
};

/**
 * The view after one more record. Pure, and linear over a run: a record costs the same whether it is the tenth or the
 * hundred thousandth. Facts of newer versions change nothing but the counters.
 */
export function foldRecord(view: RunView, record: Recorded): RunView {
  const state = evolve(view.state, record);
  const { activity, finishedCall } = foldActivity(view.activity, record);
  const agents = foldAgents(view.agents, record, finishedCall);
  const seen = seenBy(view, { state, activity, agents, lastSeq: record.seq, lastAt: record.at });
  // Nine records of ten only report activity; they change nothing else.
  return isReport(record) ? seen : foldFact(seen, view, record);
}

/** Written out because every record makes one: an object made by spreading is copied many times slower (`log.load`). */
const seenBy = (
  view: RunView,
  { state, activity, agents, lastSeq, lastAt }: Pick<RunView, "state" | "activity" | "agents" | "lastSeq" | "lastAt">,
): RunView => ({
  state,
  runId: view.runId,
  seed: view.seed,
  lastSeq,
  startedAt: view.startedAt,
  coordinatingAt: view.coordinatingAt,
  lastAt,
  iteration: view.iteration,
  agents,
  answers: view.answers,
  ballots: view.ballots,
  activity,
  decision: view.decision,
  agreement: view.agreement,
  atDecision: view.atDecision,
  presentationStarted: view.presentationStarted,
  presentationFinished: view.presentationFinished,
  clientCalls: view.clientCalls,
  postEvaluation: view.postEvaluation,
  pastAttempts: view.pastAttempts,
  limits: view.limits,
  cancelled: view.cancelled,
  finished: view.finished,
  completion: view.completion,
});

function foldFact(seen: RunView, before: RunView, record: Recorded): RunView {
  if (record.type === "attempt_restarted") return startOver(seen, before);
  // Nobody else has this copy yet.
  const next: RunView = Object.assign(seen, {
    runId: record.runId,
    startedAt: before.startedAt ?? record.at,
    iteration: before.iteration + (isAction(record) ? 1 : 0),
    ballots: foldBallots(before.ballots, record, seen.state, before.iteration),
    completion: Math.max(before.completion, completionOf(seen.state)),
    ...milestoneOf(before, record, seen.state),
  });
  return record.type === "winner_selected" ? { ...next, atDecision: next } : next;
}

/** A later attempt shows what is its own; the run goes on with its numbers, its times and what it has spent. */
function startOver({ state, agents, lastSeq, lastAt }: RunView, before: RunView): RunView {
  const { runId, seed, startedAt, cancelled } = before;
  const pastAttempts = [...before.pastAttempts, { ...before, pastAttempts: [] }];
  return { ...emptyRunView, state, agents, lastSeq, lastAt, runId, seed, startedAt, cancelled, pastAttempts };
}

/** The attempt whose result is that of the run: the newest one, unless it came to nothing and an earlier one was taken. */
export const acceptedAttempt = (view: RunView): RunView => view.pastAttempts[(view.state.earlierAttemptUsed ?? 0) - 1] ?? view;

const isReport = ({ type }: Recorded): boolean =>
  type === "llm_call" || type === "tool_start" || type === "tool_complete" || type === "usage_recorded";

/** The parts of the view that single facts set. */
function milestoneOf(view: RunView, record: Recorded, state: RunState): Partial<RunView> {
  switch (record.type) {
    case "run_started":
      return { seed: record.seed };
    case "phase_changed":
      return record.to === "coordinating" ? { coordinatingAt: record.at } : {};
    case "answer_submitted":
      return { answers: [...view.answers, answerOf(record, view.iteration, state.answers.length)] };
    case "converged":
    case "convergence_missed":
      return { agreement: record };
    case "winner_selected":
      return { decision: decisionOf(view.state, view.ballots, record) };
    case "presentation_started":
      return { presentationStarted: record };
    case "presentation_finished":
      return { presentationFinished: record };
    case "client_tools_called":
      return { clientCalls: record };
    case "post_evaluation_finished":
      return { postEvaluation: record };
    case "cancelled":
      return { cancelled: record };
    case "run_finished":
      return { finished: record };
    default: {
      const limit = limitOf(record);
      return limit === null ? {} : { limits: [...view.limits, limit] };
    }
  }
}

const answerOf = (record: Fact<"answer_submitted">, iteration: number, epoch: number): AnswerView => {
  const { label, agent, seq, at, round, supersedes, salvaged } = record;
  return { label, agent, seq, at, iteration, round, epoch, chars: record.content.length, supersedes, salvaged };
};

const ACTIONS: ReadonlySet<Recorded["type"]> = new Set([
  "answer_submitted",
  "vote_cast",
  "agent_abstained",
  "agent_failed",
  "agent_timeout",
]);

/** What ends an agent's round and moves the iteration counter (docs/spec/coordination.md 0.1). */
export const isAction = (record: Recorded): boolean =>
  ACTIONS.has(record.type) || (record.type === "agent_stopped" && record.by === "agent");

/** Every round of every agent, in configuration order, each agent's rounds oldest first. */
export const allRounds = (view: RunView): readonly RoundView[] => [...view.agents.values()].flatMap(roundsOf);

/** `agent2 (bob)`: both names of an agent, for people. */
export function nameOf(view: RunView, agent: AgentId): string {
  const anon = view.agents.get(agent)?.card.anon;
  return anon === undefined || anon === agent ? agent : `${anon} (${agent})`;
}
