import type { AgentId, CoordinationEvent, Phase, Recorded, RoundKind } from "@massgen/contracts";
import type { Describe } from "./describe.js";
import { budgetSentences } from "./describe-budget.js";
import type { FactOf } from "./fact-of.js";
import { counted, formatDuration } from "./format.js";
import { excerpt } from "./preview.js";
import { CRITERION, listOf } from "./rule-text.js";
import type { RunView } from "./run-view.js";

/**
 * What happened, as one sentence for people, with the ids of the configuration: `agent_b voted for agent2.1: Covers
 * invalidation`. `null` for records that only report activity (requests, tools, usage) and for facts of newer versions.
 * `view` is the view after the record.
 */
export function describeRecord(record: Recorded, view: RunView): string | null {
  if (!Object.hasOwn(SENTENCE, record.type)) return null;
  // The table has one function per type, which the compiler checks below; a lookup by a union cannot be typed.
  return (SENTENCE[record.type] as (fact: CoordinationEvent, view: RunView) => string | null)(record, view);
}

const KIND: Readonly<Record<RoundKind, string>> = {
  initial: "its first answer",
  evaluation: "judging the answers",
  vote_only: "only voting",
  debate: "a debate",
  stagnation: "a different approach",
  stage: "its stage",
};
const PHASE: Readonly<Record<Phase, string>> = {
  idle: "Nothing has begun",
  preparing: "The run is being prepared",
  coordinating: "The agents begin to work",
  presenting: "The winner presents",
  evaluating: "The final answer is being judged",
  finished: "The run is over",
};

const percent = (share: number | null): string => `${Math.round((share ?? 0) * 100)} %`;
const labels = (list: readonly string[]): string => (list.length === 0 ? "no answers yet" : listOf(list));
const because = (text: string): string => (text.trim() === "" ? "" : `: ${excerpt(text, 200)}`);
const refused =
  (what: string) =>
  (fact: {
    readonly agent: AgentId;
    readonly code: string;
    readonly message: string;
    readonly attempt: number;
    readonly maxAttempts: number;
  }): string =>
    `${fact.agent}: ${what} refused (${fact.code}, attempt ${fact.attempt} of ${fact.maxAttempts})${because(fact.message)}`;

const SENTENCE: Describe = {
  run_started: (fact) =>
    `${counted(fact.agents.length, "agent")} (${listOf(fact.agents.map((card) => card.id))}) work on: ${excerpt(fact.question, 100)}`,
  phase_changed: (fact) => PHASE[fact.to],
  run_resumed: (fact) => `The run goes on after record ${fact.lastSeq}`,
  cancelled: (fact) => `The run was cancelled${because(fact.reason)}`,
  orchestrator_timeout: (fact) =>
    `The time limit of ${formatDuration(fact.limitMs)} passed${fact.agents.length === 0 ? "" : `; still working: ${listOf(fact.agents)}`}`,
  run_finished: (fact) => `Finished: ${fact.status}${fact.winner === null ? "" : `, winner ${fact.winner}`}${because(fact.message ?? "")}`,
  round_started: (fact) => `${fact.agent} starts round ${fact.round} (${KIND[fact.kind]}); it sees ${labels(fact.shown)}`,
  update_injected: (fact) => `${fact.agent} learns of ${labels(fact.labels)} while it works`,
  restart_triggered: (fact) =>
    fact.affected.length === 0 ? `${fact.by} has a new answer` : `${fact.by} has a new answer; ${listOf(fact.affected)} must look again`,
  restart_completed: (fact) => `${fact.agent} looks again, in a fresh conversation`,
  answer_rejected: refused("answer"),
  vote_rejected: refused("vote"),
  enforcement_retry: refused("response"),
  agent_abstained: (fact) => `${fact.agent} abstains in this epoch (${fact.code})`,
  agent_failed: (fact) => `${fact.agent} failed${fact.fatal ? "" : " and is started once more"} (${fact.kind})${because(fact.message)}`,
  agent_timeout: (fact) =>
    fact.limit === "hard"
      ? `${fact.agent} was stopped at the hard limit of its round`
      : `${fact.agent} was stopped at the time limit of the run`,
  agent_cancelled: (fact) => `${fact.agent} was stopped (${STOPPED[fact.reason]})`,
  soft_timeout: (fact) => `${fact.agent} is asked to wrap up after ${formatDuration(fact.limitMs)}`,
  wrap_up_delivered: (fact) => `${fact.agent} has been told that time is nearly over`,
  hard_timeout: (fact) => `${fact.agent} passed the hard limit of its round; it may only answer or vote now`,
  fairness_pause: (fact) => `${fact.agent} waits: it would be ${fact.lead} answers ahead (at most ${fact.cap})`,
  fairness_resume: (fact) => `${fact.agent} no longer waits for slower agents`,
  limit_reached: (fact, view) =>
    `${fact.agent ?? "The team"} reached the ${fact.limit.replace("_", "-")} limit of ${counted(fact.value, "answer")}${view.state.mode === "voting" ? "; from now on only votes" : ""}`,
  stragglers_given_up: (fact) => `Voting begins without a first answer of ${listOf(fact.waitingFor)}`,
  deadlock_avoided: (fact) => `Everybody was held back by ${listOf(fact.gates)}; the hold was lifted`,
  answer_submitted: (fact) =>
    `${fact.agent} ${fact.salvaged ? "left" : "submitted"} ${fact.label}${fact.supersedes === null ? "" : ` in the place of ${fact.supersedes}`}${because(fact.content)}`,
  vote_cast: (fact) =>
    `${fact.agent} voted for ${fact.targetLabel}${fact.agent === fact.target ? " (its own)" : ""}${because(fact.reason)}`,
  vote_ignored: (fact) => `${fact.agent}'s vote for ${fact.target} does not count: it had not seen ${labels(fact.unseen)}`,
  vote_invalidated: (fact) => `${fact.byLabel} voids the ${fact.voters.length === 1 ? "vote" : "votes"} of ${listOf(fact.voters)}`,
  converged: (fact) =>
    fact.by === "similarity"
      ? `All answers say the same; ${fact.label} stands for them`
      : `${percent(fact.share)} of the team stands behind ${fact.label}; ${percent(fact.threshold)} were asked for`,
  convergence_missed: (fact) =>
    `Only ${percent(fact.share)} of the team agree where ${percent(fact.threshold)} were asked for${fact.debates === 0 ? "" : `, after ${counted(fact.debates, "debate")}`}`,
  debate_started: (fact) =>
    `Debate ${fact.debate} of ${fact.of}: ${percent(fact.share)} of the team agree where ${percent(fact.threshold)} were asked for; the votes of ${listOf(fact.voters)} are void`,
  coordination_round_closed: (fact) =>
    `Everybody has acted (round ${fact.number} of the team)${fact.stagnantInARow === 0 ? "" : `; nothing new for ${counted(fact.stagnantInARow, "round")}`}`,
  stagnation_restart: (fact) =>
    `Nothing new for ${counted(fact.rounds, "round")}: everybody starts afresh${fact.leading === null ? "" : ` from ${fact.leading}`} with a different approach`,
  answer_now_requested: (fact) => `The result is wanted now${because(fact.reason)}`,
  input_received: (fact) => `Said to ${listOf(fact.agents)}: ${excerpt(fact.text, 200)}`,
  input_delivered: (fact) => `${fact.agent} has read what was said to it (${fact.numbers.map((number) => `#${number}`).join(", ")})`,
  answers_closed: (fact) =>
    `No new answers any more (${fact.because === "stagnation" ? "nothing moves" : "the result is wanted now"}); from now on only votes`,
  coordination_skipped: (fact) => `Coordination is skipped; ${fact.agent} answers at once`,
  paraphrasing_started: (fact) => `${fact.agent} is asked to put the question in other words`,
  question_paraphrased: (fact) =>
    fact.agent === null
      ? `There is no other wording of the question (${fact.failure}): everybody gets it as it is`
      : `${fact.agent} put the question in other words: ${listOf(fact.wordings.map((wording) => excerpt(wording, 80)))}${
          fact.dropped.length === 0
            ? ""
            : `; ${counted(fact.dropped.length, "wording")} that asked for something else ${fact.dropped.length === 1 ? "was" : "were"} dropped`
        }`,
  division_started: (fact) => `${fact.agent} is asked to divide the work`,
  work_divided: (fact) =>
    fact.agent === null ? `Nobody divided the work (${fact.failure}): each takes a share of it` : `${fact.agent} divided the work`,
  subtasks_set: (fact) =>
    `The work is divided: ${listOf(Object.entries(fact.subtasks).map(([id, subtask]) => `${id}: ${excerpt(subtask, 80)}`))}`,
  agent_stopped: (fact) =>
    fact.by === "limit"
      ? `${fact.agent} stops: it has no answers left to give`
      : `${fact.agent} stops: its part is ${fact.status}${because(fact.summary)}`,
  stop_ignored: (fact) => `${fact.agent}'s stop does not count: it had not seen ${labels(fact.unseen)}`,
  winner_selected: (fact, view) => {
    if (fact.label === null || fact.selection === "presenter") return `${fact.winner} presents the result`;
    if (view.state.mode === "sequential") return `${fact.label} by ${fact.winner} is the result`;
    return winnerText(fact, fact.label);
  },
  presentation_started: (fact) => (fact.label === null ? `${fact.agent} writes the final answer` : startsPresenting(fact)),
  presentation_finished: (fact) =>
    fact.fallback === null
      ? `${fact.agent} delivered the final answer`
      : `The stored answer of ${fact.agent} is final (${FALLBACK[fact.fallback]})`,
  client_tools_called: (fact) => `${fact.agent} asks the caller to run ${listOf(fact.calls.map(({ tool }) => tool))}`,
  post_evaluation_started: (fact) => `${fact.agent} judges the final answer before it is released`,
  post_evaluation_finished: (fact) =>
    fact.verdict === "restart"
      ? `${fact.agent} sends the team back to work${because(fact.reason)}`
      : `The final answer is released${fact.note === null ? "" : ` unjudged: ${excerpt(fact.note, 200)}`}`,
  attempt_restarted: (fact) => `Attempt ${fact.attempt} of ${fact.maxAttempts} begins${because(fact.instructions)}`,
  earlier_attempt_used: (fact) => `The answer that attempt ${fact.attempt} had presented (${fact.label} by ${fact.agent}) is final`,
  irreversible_tool_ran: (fact) => `${fact.agent} runs ${fact.name}, which cannot be undone: there will be no other attempt`,
  planning_analysis_started: (fact) => `${fact.agent} is asked what of the task cannot be undone`,
  planning_decided: (fact) => `${planText(fact)}${fact.failure === null ? "" : ` (${excerpt(fact.failure, 200)})`}`,
  request_opened: ({ request }) => `${request.agent ?? "The run"} asks${because(request.prompt)}`,
  request_closed: (fact) =>
    `Request ${fact.requestId} was answered by ${fact.by === "person" ? "a person" : fact.by === "policy" ? "the rules" : "its deadline"}`,
  ...budgetSentences,
  usage_recorded: () => null,
  tool_start: () => null,
  tool_complete: () => null,
  llm_call: () => null,
};

const planText = ({ irreversible, blockedTools }: FactOf<"planning_decided">): string => {
  if (!irreversible) return "Planning mode is off: nothing of the task is irreversible";
  const what = blockedTools.length === 0 ? "every outside tool" : listOf(blockedTools);
  return `Planning mode is on: ${what} is reserved for the presentation`;
};
const winnerText = (fact: FactOf<"winner_selected">, label: string): string =>
  `${label} by ${fact.winner} wins (${fact.consensus.replace("_", " ")})${fact.tieBrokenBy === null ? "" : `, the tie broken by ${CRITERION[fact.tieBrokenBy]}`}`;

const ON_BASIS = {
  winner_present: "on the basis of",
  synthesize: "from all answers, on the basis of",
  assemble: "from all parts, its own being",
  direct: "",
};
const startsPresenting = ({ agent, strategy, label }: FactOf<"presentation_started">): string =>
  `${agent} writes the final answer ${ON_BASIS[strategy ?? "winner_present"]} ${label}`;

const STOPPED = { straggler: "the others were done", decided: "the decision had fallen", cancelled: "the run was cancelled" } as const;
const FALLBACK = {
  empty: "the presentation was empty",
  error: "the presentation failed",
  timeout: "the presentation took too long",
  failed_agent: "its author had failed",
  skipped: "no presentation was made",
} as const;
