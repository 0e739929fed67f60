import type { CoordinationEvent } from "@massgen/contracts";
import { judgeEvaluated, judgeEvaluationFailure, judgeMissed } from "./attempts/post-evaluation.js";
import { beginRound } from "./begin-round.js";
import { judgeRequest, judgeUsage } from "./budget/judge-request.js";
import { judgeDivided, judgeDivisionFailure } from "./division/judge-division.js";
import { evolve, evolveAhead } from "./evolve.js";
import { judgeInput, judgeInputDelivery } from "./inputs.js";
import { agentOf, agentsOf } from "./inspect.js";
import { isReport } from "./is-report.js";
import { judgeAnswer, judgeFailure, judgeNothing, judgeRoundTimeout, judgeSeveral, judgeVote } from "./judge-action.js";
import { judgeAnswerNow } from "./judge-answer-now.js";
import { judgeCancel } from "./judge-cancel.js";
import { judgeDelivery, judgeWrapUp } from "./judge-delivery.js";
import { judgeStop } from "./judge-stop.js";
import { judgeTimer } from "./judge-timer.js";
import { judgeParaphrased, judgeParaphrasingFailure } from "./paraphrases/judge-paraphrases.js";
import { beginPreparing, judgeAnalysis, judgeAnalysisFailure } from "./planning/judge-analysis.js";
import type { Policy } from "./policy.js";
import { finishPresentation, judgeClientTools, judgePresented } from "./present.js";
import { settle } from "./settle.js";
import type { Signal } from "./signal.js";
import { type AgentState, initialState, type RunState } from "./state.js";

/**
 * Judges one signal: the same state, signal and policy always give the same facts, in the order in which they count.
 * Never throws on any input; a claim about a round or phase that is over gives no facts.
 */
export function decide(state: RunState, signal: Signal, policy: Policy): readonly CoordinationEvent[] {
  const judged = judge(state, signal, policy);
  // What changes nothing calls for nothing: everything was settled before. A call may use up a budget.
  return policy.budget === null && judged.every(isReport) ? judged : [...judged, ...settle(judged.reduce(evolveAhead, state), policy)];
}

function judge(state: RunState, signal: Signal, policy: Policy): readonly CoordinationEvent[] {
  switch (signal.type) {
    case "start":
      return state.phase === "idle" ? begin(signal, policy) : [];
    case "resume":
      return state.phase === "idle" || state.phase === "finished" ? [] : resume(state, signal.lastSeq, policy);
    case "answer_offered":
      return inRound(state, signal, (agent) => judgeAnswer(state, agent, signal, policy));
    case "vote_offered":
      return inRound(state, signal, (agent) => judgeVote(state, agent, signal, policy));
    case "stop_offered":
      return inRound(state, signal, (agent) => judgeStop(state, agent, signal, policy));
    case "several_offered":
      return inRound(state, signal, (agent) => judgeSeveral(state, agent, signal, policy));
    case "nothing_offered":
      return inRound(state, signal, (agent) => judgeNothing(state, agent, signal, policy));
    case "update_delivered":
      return inRound(state, signal, (agent) => judgeDelivery(state, agent, signal.labels, policy));
    case "wrap_up_delivered":
      return inRound(state, signal, judgeWrapUp);
    case "round_timed_out":
      return inRound(state, signal, (agent) => judgeRoundTimeout(state, agent, signal, policy));
    case "round_failed":
      return inRound(state, signal, (agent) => judgeFailure(agent, signal));
    case "request_offered":
      return judgeRequest(state, signal, policy);
    case "usage_reported":
      return isOver(state) ? [] : judgeUsage(state, signal, policy);
    case "activity_reported":
      return isOver(state) ? [] : [signal.fact];
    case "presented":
      return judgePresented(state, signal, policy);
    case "client_tools_offered":
      return judgeClientTools(state, signal);
    case "presentation_failed":
      return signal.agent === state.decision?.winner ? finishPresentation(state, null, signal.why, signal.partial, policy) : [];
    case "evaluated":
      return judgeEvaluated(state, signal, policy);
    case "evaluation_missed":
      return judgeMissed(state, signal, policy);
    case "evaluation_failed":
      return judgeEvaluationFailure(state, signal);
    case "irreversible_tool_called":
      return isOver(state) ? [] : [{ ...signal, type: "irreversible_tool_ran" }];
    case "analysed":
      return judgeAnalysis(state, signal, policy);
    case "analysis_failed":
      return judgeAnalysisFailure(state, signal, policy);
    case "paraphrased":
      return judgeParaphrased(state, signal, policy);
    case "paraphrasing_failed":
      return judgeParaphrasingFailure(state, signal, policy);
    case "divided":
      return judgeDivided(state, signal);
    case "division_failed":
      return judgeDivisionFailure(state, signal);
    case "timer_fired":
      return judgeTimer(state, signal, policy);
    case "answer_now_requested":
      return judgeAnswerNow(state, signal);
    case "input_received":
      return judgeInput(state, signal);
    case "input_delivered":
      return judgeInputDelivery(state, signal);
    case "cancel_requested":
      return judgeCancel(state, signal, policy);
    default:
      return [];
  }
}

function begin({ question, agents, seed, mode, subtasks = {} }: Extract<Signal, { type: "start" }>, policy: Policy) {
  const opening: readonly CoordinationEvent[] = [
    { type: "run_started", question, agents, seed, mode },
    ...(Object.keys(subtasks).length === 0 ? [] : [{ type: "subtasks_set", subtasks } as const]),
    ...(policy.budget === null ? [] : [{ type: "budget_set", limits: policy.budget } as const]),
    { type: "phase_changed", from: "idle", to: "preparing" },
  ];
  return [...opening, ...beginPreparing(opening.reduce(evolve, initialState), policy)];
}

/** Rounds that were running when the power went start again under the same number, with the answers there are. */
const resume = (state: RunState, lastSeq: number, policy: Policy): readonly CoordinationEvent[] => [
  { type: "run_resumed", lastSeq },
  ...(state.phase === "coordinating"
    ? agentsOf(state)
        .filter((agent) => agent.standing === "streaming")
        .flatMap((agent) => beginRound(state, agent, policy, agent.round))
    : []),
];

const isOver = (state: RunState): boolean => state.phase === "idle" || state.phase === "finished";

function inRound(
  state: RunState,
  { agent: id, round }: { readonly agent: string; readonly round: number },
  then: (agent: AgentState) => readonly CoordinationEvent[],
): readonly CoordinationEvent[] {
  const agent = agentOf(state, id);
  return state.phase === "coordinating" && agent?.standing === "streaming" && agent.round === round ? then(agent) : [];
}
