import type { CoordinationEvent } from "@massgen/contracts";
import type { FactOf } from "@massgen/views";
import {
  anySnapshotCodec,
  budgetLimitsCodec,
  type Codec,
  clientCallsCodec,
  flagCodec,
  numberCodec,
  requestCodec,
  snapshotCodec,
  someLabelsCodec,
  someTextsCodec,
  strategyCodec,
  subtasksCodec,
  usageCodec,
  verificationCodec,
} from "./field-codecs.js";

type FactType = CoordinationEvent["type"];

/** Marks the field that stands in `agent_id` of the line instead of in its `context`. */
export const AGENT_ID = "agent_id";

/** Where each field of a fact goes: to a key of `context`, with or without a codec, or to `agent_id`. No field can be forgotten. */
type FieldNames<T extends FactType> = { readonly [Field in Exclude<keyof FactOf<T>, "type">]-?: string | Codec<FactOf<T>[Field]> };

export interface PersistedName<T extends FactType> {
  readonly event: string;
  /** The name of earlier programs, where it differs. */
  readonly legacy?: string;
  readonly fields: FieldNames<T>;
}

const agent = AGENT_ID;
const round = "round";
const refusal = { agent, round, code: "code", message: "message", attempt: "attempt", maxAttempts: "max_attempts" } as const;
const money = { agent, scope: "scope", unit: "unit", used: "used", limit: "limit" } as const;
const pace = { agent, lead: "lead", cap: "cap" } as const;

/**
 * The one table between facts and the names on disk (docs/spec/logs.md 4.6). The compiler checks that every fact and every
 * field is in it; a property test checks that nothing is lost on the way there and back.
 */
export const PERSISTED_NAMES: { readonly [T in FactType]: PersistedName<T> } = {
  run_started: { event: "session_start", fields: { question: "question", agents: "agents", seed: "seed", mode: "mode" } },
  phase_changed: { event: "phase_changed", fields: { from: "from", to: "to" } },
  run_resumed: { event: "resumed", fields: { lastSeq: "last_seq" } },
  cancelled: { event: "cancelled", fields: { phase: "phase", reason: "reason" } },
  orchestrator_timeout: { event: "orchestrator_timeout", fields: { limitMs: "limit_ms", agents: "agents" } },
  run_finished: { event: "session_end", fields: { status: "status", winner: "winner", message: "message" } },
  round_started: {
    event: "started_streaming",
    legacy: "status_change",
    fields: { agent, round, kind: "kind", shown: "available_answer_labels", tools: "tools" },
  },
  update_injected: { event: "update_injected", fields: { agent, round, labels: "labels", tools: "tools" } },
  restart_triggered: { event: "restart", legacy: "restart_triggered", fields: { by: agent, affected: "affected_agents" } },
  restart_completed: { event: "restart_completed", fields: { agent, round: "agent_round" } },
  answer_rejected: { event: "answer_rejected", fields: refusal },
  vote_rejected: { event: "vote_rejected", fields: refusal },
  enforcement_retry: { event: "enforcement_retry", fields: { ...refusal, code: "reason" } },
  agent_abstained: { event: "agent_abstained", fields: { agent, code: "code" } },
  agent_failed: { event: "agent_error", fields: { agent, kind: "kind", message: "message", fatal: "fatal", lastText: "last_text" } },
  agent_timeout: { event: "agent_timeout", fields: { agent, limit: "limit", lastText: "last_text" } },
  agent_cancelled: { event: "agent_cancelled", fields: { agent, reason: "reason" } },
  soft_timeout: { event: "soft_timeout", fields: { agent, round, limitMs: "limit_ms" } },
  wrap_up_delivered: { event: "wrap_up_delivered", fields: { agent, round } },
  hard_timeout: { event: "hard_timeout", fields: { agent, round, limitMs: "limit_ms" } },
  fairness_pause: { event: "fairness_pause", fields: pace },
  fairness_resume: { event: "fairness_resume", fields: pace },
  limit_reached: { event: "limit_reached", fields: { agent, limit: "limit", value: "value" } },
  stragglers_given_up: { event: "stragglers_given_up", fields: { waitingFor: "waiting_for" } },
  deadlock_avoided: { event: "deadlock_avoided", fields: { gates: "gates" } },
  answer_submitted: {
    event: "new_answer",
    fields: {
      agent,
      round,
      label: "label",
      content: "content",
      fingerprint: "fingerprint",
      supersedes: "supersedes",
      salvaged: "salvaged",
      snapshot: snapshotCodec,
      verification: verificationCodec,
      maxSimilarity: numberCodec("max_similarity"),
    },
  },
  vote_cast: {
    event: "vote",
    legacy: "vote_cast",
    fields: {
      agent,
      round,
      target: "voted_for",
      targetLabel: "voted_for_label",
      reason: "reason",
      confidence: "confidence",
      confidenceDefaulted: flagCodec("confidence_defaulted"),
      weight: "weight",
      coerced: "coerced",
      options: "available_answers",
    },
  },
  vote_ignored: { event: "vote_ignored", fields: { agent, round, target: "voted_for", reason: "reason", unseen: "unseen_labels" } },
  vote_invalidated: { event: "vote_invalidated", fields: { voters: "voters", byLabel: "by_label" } },
  converged: { event: "converged", fields: { by: "by", label: "label", share: "share", threshold: "threshold" } },
  convergence_missed: { event: "convergence_missed", fields: { share: "share", threshold: "threshold", debates: "debates" } },
  debate_started: {
    event: "debate",
    fields: { debate: "debate", of: "max_debates", share: "share", threshold: "threshold", voters: "voters" },
  },
  coordination_round_closed: {
    event: "coordination_round_closed",
    fields: { number: "number", share: "share", stagnantInARow: "stagnant_in_a_row" },
  },
  stagnation_restart: { event: "stagnation_restart", fields: { rounds: "rounds", leading: "leading", voters: "voters" } },
  answer_now_requested: { event: "answer_now_requested", fields: { reason: "reason", agents: "agents" } },
  input_received: { event: "input_received", fields: { number: "number", id: "input_id", text: "text", agents: "agents" } },
  input_delivered: { event: "input_delivered", fields: { agent, round, numbers: "numbers" } },
  answers_closed: { event: "answers_closed", fields: { because: "because" } },
  winner_selected: {
    event: "final_agent_selected",
    fields: {
      winner: agent,
      label: "label",
      tally: "tally",
      consensus: "consensus",
      selection: "selection",
      isTie: "is_tie",
      tieBrokenBy: "tie_broken_by",
      tieBreakTrace: "tie_break_trace",
      excluded: someLabelsCodec("excluded"),
    },
  },
  coordination_skipped: { event: "coordination_skipped", fields: { agent } },
  paraphrasing_started: { event: "paraphrasing_started", fields: { agent } },
  question_paraphrased: {
    event: "question_paraphrased",
    fields: { agent, wordings: "wordings", dropped: someTextsCodec("dropped"), failure: "failure" },
  },
  division_started: { event: "division_started", fields: { agent } },
  work_divided: { event: "work_divided", fields: { agent, failure: "failure" } },
  subtasks_set: { event: "subtasks_set", fields: { subtasks: subtasksCodec } },
  agent_stopped: { event: "agent_stopped", fields: { agent, round, summary: "summary", status: "status", by: "by" } },
  stop_ignored: { event: "stop_ignored", fields: { agent, round, summary: "summary", unseen: "unseen_labels" } },
  presentation_started: { event: "final_round_start", fields: { agent, label: "label", round: "final_round", strategy: strategyCodec } },
  presentation_finished: {
    event: "final_answer",
    fields: { agent, content: "content", snapshot: anySnapshotCodec, fallback: "presentation_fallback", partial: "partial" },
  },
  client_tools_called: { event: "client_tool_call", fields: { agent, round, calls: clientCallsCodec } },
  post_evaluation_started: { event: "post_evaluation_started", fields: { agent, round } },
  post_evaluation_finished: {
    event: "post_evaluation",
    fields: {
      agent,
      verdict: "decision",
      reason: "reason",
      instructions: "instructions",
      autoSubmitted: "auto_submitted",
      note: "note",
    },
  },
  attempt_restarted: {
    event: "attempt_restart",
    fields: { attempt: "attempt", maxAttempts: "max_attempts", reason: "reason", instructions: "instructions" },
  },
  earlier_attempt_used: { event: "earlier_attempt_used", fields: { agent, attempt: "attempt", label: "label" } },
  irreversible_tool_ran: { event: "irreversible_tool_ran", fields: { agent, round, callId: "call_id", name: "name" } },
  planning_analysis_started: { event: "planning_analysis_started", fields: { agent } },
  planning_decided: {
    event: "planning_mode",
    fields: { agent, irreversible: "irreversible", blockedTools: "blocked_tools", failure: "failure" },
  },
  request_opened: { event: "request_opened", fields: { request: requestCodec } },
  request_closed: { event: "request_closed", fields: { requestId: "request_id", by: "by", reply: "reply" } },
  usage_recorded: { event: "usage_recorded", fields: { agent, round, usage: usageCodec } },
  budget_set: { event: "budget_set", fields: { limits: budgetLimitsCodec } },
  budget_warning: { event: "budget_warning", fields: money },
  budget_exceeded: {
    event: "budget_exceeded",
    fields: { ...money, requested: "requested", consequence: "consequence", lastText: "last_text" },
  },
  price_unknown: { event: "price_unknown", fields: { agent } },
  tool_start: { event: "tool_start", fields: { agent, round, callId: "call_id", name: "name", argsPreview: "args_preview" } },
  tool_complete: {
    event: "tool_complete",
    fields: {
      agent,
      round,
      callId: "call_id",
      name: "name",
      ok: "ok",
      durationMs: "duration_ms",
      inputChars: "input_chars",
      outputChars: "output_chars",
      resultPreview: "result_preview",
    },
  },
  llm_call: {
    event: "llm_call",
    fields: {
      agent,
      round,
      callId: "call_id",
      purpose: "purpose",
      status: "status",
      ttftMs: "ttft_ms",
      durationMs: "duration_ms",
      message: "message",
    },
  },
};

/** Fact type by the name on disk. */
export const FACT_OF_EVENT: ReadonlyMap<string, FactType> = new Map(
  // `Object.keys` forgets the key type of the table above.
  (Object.keys(PERSISTED_NAMES) as FactType[]).map((type) => [PERSISTED_NAMES[type].event, type]),
);
