import type { AnswerLabel, CoordinationEvent, JsonValue, Recorded } from "@massgen/contracts";
import type { FactOf } from "@massgen/views";
import fc from "fast-check";

type FactType = CoordinationEvent["type"];
type Body<T extends FactType> = Omit<FactOf<T>, "type">;

const id = fc.oneof(fc.constantFrom("ada", "研究者", "a/b", "😀", "__proto__", "agent1"), fc.string({ minLength: 1 }));
const text = fc.string({ unit: "binary" }).map((value) => value.replace(/\p{Surrogate}/gu, "?"));
const count = fc.nat({ max: 1000 });
// -0 is not a number that files can carry.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const anon = fc.nat({ max: 20 }).map((n) => `agent${n + 1}` as const);
const label = fc.tuple(anon, fc.nat({ max: 20 })).map(([who, n]): AnswerLabel => `${who}.${n + 1}`);
const labels = fc.array(label, { maxLength: 4 });
const ids = fc.array(id, { maxLength: 4 });
const flag = fc.boolean();
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const json: fc.Arbitrary<JsonValue> = fc.jsonValue({ depthSize: "small" }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
const phase = oneOf("idle", "preparing", "coordinating", "presenting", "evaluating", "finished");
const tool = oneOf("new_answer", "vote", "stop", "submit", "restart_orchestration");
const code = oneOf("tool_unavailable", "empty_answer", "answer_limit", "invalid_vote_id", "no_tool_calls", "hard_timeout");
const kind = oneOf("protocol", "backend_transient", "backend_fatal", "stall", "context_overflow", "internal");
const tieBreak = oneOf("peer_votes", "confidence", "registration_order", "latest_answer");
const gate = oneOf("first_answers", "answers_under_way", "fairness", "lone_self_evaluation", "earlier_stage");
const usage = fc.record(
  { inputTokens: count, outputTokens: count, cachedTokens: count, reasoningTokens: count, costUsd: orNull(number), estimated: flag },
  { requiredKeys: ["inputTokens", "outputTokens", "cachedTokens", "reasoningTokens", "costUsd"] },
);
const refusal = fc.record({ agent: id, round: count, code, message: text, attempt: count, maxAttempts: count });
const money = { scope: oneOf("run", "agent", "round"), unit: oneOf("tokens", "cost_usd", "calls"), used: number, limit: number };
const pace = fc.record({ agent: id, lead: count, cap: count });

/** Something for every fact there is; a fact without a line here does not compile. */
const bodies: { readonly [T in FactType]: fc.Arbitrary<Body<T>> } = {
  run_started: fc.record({
    question: text,
    agents: fc.uniqueArray(fc.record({ id, anon, backend: text, model: text }), { selector: (card) => card.id, maxLength: 4 }),
    seed: count,
    mode: oneOf("voting", "single", "refine", "decomposition", "sequential"),
  }),
  phase_changed: fc.record({ from: phase, to: phase }),
  run_resumed: fc.record({ lastSeq: count }),
  cancelled: fc.record({ phase, reason: text }),
  orchestrator_timeout: fc.record({ limitMs: count, agents: ids }),
  run_finished: fc.record({
    status: oneOf("completed", "partial", "timeout", "cancelled", "budget", "error", "tool_calls"),
    winner: orNull(id),
    message: orNull(text),
  }),
  round_started: fc.record({
    agent: id,
    round: count,
    kind: oneOf("initial", "evaluation", "vote_only", "debate", "stagnation", "stage"),
    shown: labels,
    tools: fc.array(tool),
  }),
  update_injected: fc.record({ agent: id, round: count, labels, tools: fc.array(tool) }),
  restart_triggered: fc.record({ by: id, affected: ids }),
  restart_completed: fc.record({ agent: id, round: count }),
  answer_rejected: refusal,
  vote_rejected: refusal,
  enforcement_retry: refusal,
  agent_abstained: fc.record({ agent: id, code }),
  agent_failed: fc.record({ agent: id, kind, message: text, fatal: flag, lastText: text }),
  agent_timeout: fc.record({ agent: id, limit: oneOf("hard", "orchestrator"), lastText: text }),
  agent_cancelled: fc.record({ agent: id, reason: oneOf("straggler", "decided", "cancelled") }),
  soft_timeout: fc.record({ agent: id, round: count, limitMs: count }),
  wrap_up_delivered: fc.record({ agent: id, round: count }),
  hard_timeout: fc.record({ agent: id, round: count, limitMs: count }),
  fairness_pause: pace,
  fairness_resume: pace,
  limit_reached: fc.record({ agent: orNull(id), limit: oneOf("per_agent", "global", "safety"), value: count }),
  stragglers_given_up: fc.record({ waitingFor: ids }),
  deadlock_avoided: fc.record({ gates: fc.array(gate) }),
  answer_submitted: fc.record({
    agent: id,
    round: count,
    label,
    content: text,
    fingerprint: text,
    supersedes: orNull(label),
    salvaged: flag,
    snapshot: orNull(fc.record({ agent: id, version: text })),
    verification: orNull(fc.record({ passed: orNull(flag), exitCode: orNull(count), durationMs: number, summary: text })),
    maxSimilarity: orNull(number),
  }),
  vote_cast: fc.record({
    agent: id,
    round: count,
    target: id,
    targetLabel: label,
    reason: text,
    confidence: orNull(number),
    confidenceDefaulted: flag,
    weight: number,
    coerced: flag,
    options: labels,
  }),
  vote_ignored: fc.record({ agent: id, round: count, target: id, reason: text, unseen: labels }),
  vote_invalidated: fc.record({ voters: ids, byLabel: label }),
  converged: fc.record({ by: oneOf("votes", "similarity"), label, share: orNull(number), threshold: number }),
  convergence_missed: fc.record({ share: number, threshold: number, debates: count }),
  debate_started: fc.record({ debate: count, of: count, share: number, threshold: number, voters: ids }),
  coordination_round_closed: fc.record({ number: count, share: number, stagnantInARow: count }),
  stagnation_restart: fc.record({ rounds: count, leading: orNull(label), voters: ids }),
  answer_now_requested: fc.record({ reason: text, agents: ids }),
  input_received: fc.record({ number: count, id: orNull(text), text, agents: ids }),
  input_delivered: fc.record({ agent: id, round: count, numbers: fc.array(count) }),
  answers_closed: fc.record({ because: oneOf("stagnation", "answer_now") }),
  winner_selected: fc.record({
    winner: id,
    label: orNull(label),
    tally: fc.array(fc.record({ label, weight: number })),
    consensus: oneOf("unanimous", "majority", "plurality", "tie_broken", "none", "single"),
    selection: oneOf("votes", "latest_answer", "previous_epoch", "presenter", "skipped", "single"),
    isTie: flag,
    tieBrokenBy: orNull(tieBreak),
    tieBreakTrace: fc.array(fc.record({ criterion: tieBreak, values: fc.array(fc.record({ label, value: number })), survivors: labels })),
    excluded: labels,
  }),
  client_tools_called: fc.record({ agent: id, round: count, calls: fc.array(fc.record({ callId: text, tool: text, input: json })) }),
  post_evaluation_started: fc.record({ agent: id, round: count }),
  post_evaluation_finished: fc.record({
    agent: id,
    verdict: oneOf("submit", "restart"),
    reason: text,
    instructions: text,
    autoSubmitted: flag,
    note: orNull(text),
  }),
  attempt_restarted: fc.record({ attempt: count, maxAttempts: count, reason: text, instructions: text }),
  earlier_attempt_used: fc.record({ agent: id, attempt: count, label: orNull(label) }),
  irreversible_tool_ran: fc.record({ agent: id, round: count, callId: text, name: text }),
  planning_analysis_started: fc.record({ agent: id }),
  planning_decided: fc.record({ agent: orNull(id), irreversible: flag, blockedTools: fc.array(text), failure: orNull(text) }),
  coordination_skipped: fc.record({ agent: id }),
  paraphrasing_started: fc.record({ agent: id }),
  question_paraphrased: fc.record({ agent: orNull(id), wordings: fc.array(text), dropped: fc.array(text), failure: orNull(text) }),
  division_started: fc.record({ agent: id }),
  work_divided: fc.record({ agent: fc.option(id), failure: fc.option(text) }),
  subtasks_set: fc.record({ subtasks: fc.array(fc.tuple(id, text)).map((entries) => Object.fromEntries(entries)) }),
  agent_stopped: fc.record({ agent: id, round: count, summary: text, status: oneOf("complete", "blocked"), by: oneOf("agent", "limit") }),
  stop_ignored: fc.record({ agent: id, round: count, summary: text, unseen: labels }),
  presentation_started: fc.record({
    agent: id,
    label: orNull(label),
    round: count,
    strategy: oneOf("winner_present", "synthesize", "assemble", "direct"),
  }),
  presentation_finished: fc.record({
    agent: id,
    content: text,
    snapshot: orNull(fc.record({ agent: id, version: text })),
    fallback: orNull(oneOf("empty", "error", "timeout", "failed_agent", "skipped")),
    partial: text,
  }),
  request_opened: fc.record({
    request: fc.record({
      id: text,
      kind: oneOf("question", "tool_approval", "plan_review", "diff_review"),
      agent: orNull(id),
      prompt: text,
      choices: orNull(fc.array(text)),
      deadlineMs: orNull(count),
      onDeadline: json,
    }),
  }),
  request_closed: fc.record({ requestId: text, by: oneOf("person", "policy", "deadline"), reply: json }),
  usage_recorded: fc.record({ agent: id, round: count, usage }),
  budget_set: fc.record({
    limits: fc.record({
      maxTotalTokens: orNull(count),
      maxTotalCostUsd: orNull(number),
      maxLlmCalls: orNull(count),
      maxAgentTokens: orNull(count),
      maxAgentCostUsd: orNull(number),
      maxRoundCostUsd: orNull(number),
      warnAt: number,
      reserveForFinal: number,
    }),
  }),
  budget_warning: fc.record({ agent: orNull(id), ...money }),
  budget_exceeded: fc.record({
    agent: orNull(id),
    ...money,
    requested: number,
    consequence: oneOf("run_ends", "vote_only", "agent_stops", "round_ends", "stored_answer", "unjudged", "unasked"),
    lastText: text,
  }),
  price_unknown: fc.record({ agent: id }),
  tool_start: fc.record({ agent: id, round: count, callId: text, name: text, argsPreview: text }),
  tool_complete: fc.record({
    agent: id,
    round: count,
    callId: text,
    name: text,
    ok: flag,
    durationMs: number,
    inputChars: count,
    outputChars: count,
    resultPreview: text,
  }),
  llm_call: fc.record({
    agent: id,
    round: count,
    callId: text,
    purpose: oneOf("work", "presentation", "evaluation"),
    status: oneOf("started", "finished", "retrying", "failed"),
    ttftMs: orNull(number),
    durationMs: orNull(number),
    message: orNull(text),
  }),
};

export const factTypes = Object.keys(bodies) as readonly FactType[];

export const factOf = (type: FactType): fc.Arbitrary<CoordinationEvent> =>
  (bodies[type] as fc.Arbitrary<object>).map((body) => ({ type, ...body }) as CoordinationEvent);

const anyFact: fc.Arbitrary<CoordinationEvent> = fc.oneof(...factTypes.map(factOf));

/** Decisions of one to four facts each, stamped as the runner stamps them. A run presents once, as `final/` holds one result. */
export const decisions: fc.Arbitrary<readonly (readonly Recorded[])[]> = fc
  .array(fc.array(anyFact, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  .filter((groups) => groups.flat().filter((fact) => fact.type === "presentation_finished").length <= 1)
  .map((groups) => {
    let seq = 0;
    return groups.map((facts, decision) =>
      facts.map((fact, place): Recorded => {
        seq += 1;
        return {
          seq,
          at: 1_767_345_329_880 + seq * 7,
          runId: "20260102_101529_k7q2mz",
          decision: decision + 1,
          closes: place === facts.length - 1,
          ...fact,
        };
      }),
    );
  });
