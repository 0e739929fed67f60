import { costUsd, type ModelPrice } from "@massgen/backend-kit";
import type { AgentId, RunMode } from "@massgen/contracts";
import type { Policy } from "@massgen/kernel";
import { assumed } from "./assumptions.js";
import { type AgentWork, capOf, countWork, type RunWork } from "./count-work.js";
import { add, type Estimate, oneOf, perhaps, type Range, sumOf, times, within } from "./estimate.js";

/** What is known of a run before anybody has been paid. */
export interface ForecastSubject {
  readonly mode: RunMode;
  readonly policy: Policy;
  /** In the order of the config; at least one. */
  readonly agents: readonly ForecastAgent[];
  /** In decomposition: everybody was given a part. Default true. */
  readonly isDivided?: boolean;
}

export interface ForecastAgent {
  readonly id: AgentId;
  readonly model: string;
  /** What its first request holds: system prompt, tools, question. */
  readonly promptTokens: number;
  readonly maxOutputTokens: number | null;
  /** `null`: nobody knows it. */
  readonly price: ModelPrice | null;
  /** Its model runs on a machine of the user's. */
  readonly isLocal: boolean;
  /** Has tools besides those of the workflow, so that one answer may take several calls. */
  readonly hasTools: boolean;
}

export interface AgentForecast extends Estimate {
  readonly id: AgentId;
  readonly model: string;
}

/** Every range runs from a team that agrees at once to one that uses all its rules allow. */
export interface Forecast {
  /** In the order of the config. Presenting and judging, which one of them does, is in the high end of each. */
  readonly agents: readonly AgentForecast[];
  /** `wallMs`: from the question to the answer. */
  readonly total: Estimate;
  /** What the ranges stand on, a sentence each. */
  readonly assumptions: readonly string[];
}

/**
 * What a run will take: calls by the rules of the run, tokens by its prompts and by assumed lengths of answers, dollars by the
 * prices, time by assumed speeds. An unknown price stays unknown, that of an agent and that of the whole.
 */
export function forecastRun({ mode, policy, agents, isDivided = true }: ForecastSubject): Forecast {
  const work = countWork(mode, policy, agents.length, isDivided);
  const parts = agents.map((agent, index) => partsOf(agent, work.agents[index] ?? NO_WORK, work, agents.length));
  const shared = oneOf(parts.map((part) => part.shared));
  const total = { ...add(sumOf(parts.map(({ own }) => own)), shared), wallMs: wallOf(parts, work, shared, policy) };
  return {
    agents: agents.map(({ id, model }, index) => ({ id, model, ...limitAgent(parts[index]!, policy) })),
    total: limitRun(total, policy),
    assumptions: assumptionsOf(work, { mode, policy, agents }),
  };
}

const NO_WORK: AgentWork = { answers: { low: 0, high: 0 }, decisions: { low: 0, high: 0 } };

interface Parts {
  readonly own: Estimate;
  /** What one of the team does for all, if it is this agent. */
  readonly shared: Estimate;
  readonly answerMs: Range;
  readonly decisionMs: Range;
}

function partsOf(agent: ForecastAgent, { answers, decisions }: AgentWork, work: RunWork, size: number): Parts {
  const turns = agent.hasTools ? assumed.turnsWithTools : ONCE;
  const { answerTokens, decisionTokens } = assumed;
  const allAnswers = { low: answerTokens.low * size, high: answerTokens.high * size };
  const answer = pieceOf(agent, {
    writes: answerTokens,
    reads: { low: 0, high: work.steps.answers.high > 1 ? allAnswers.high : 0 },
    turns,
  });
  const decision = pieceOf(agent, { writes: decisionTokens, reads: allAnswers, turns });
  const presentation = pieceOf(agent, { writes: answerTokens, reads: allAnswers, turns });
  const judgement = pieceOf(agent, { writes: decisionTokens, reads: answerTokens, turns: ONCE });
  const plan = pieceOf(agent, { writes: decisionTokens, reads: NOTHING, turns: ONCE });
  const own = sumOf([times(answer, answers), times(decision, decisions)]);
  const shared = sumOf([times(presentation, work.presentations), times(judgement, work.judgements), times(plan, work.plans)]);
  return {
    // At best, what all its calls begin with is read from the vendor's cache after the first.
    own: priced(agent, own, agent.promptTokens * Math.max(0, own.calls.low - 1)),
    shared: priced(agent, shared, 0),
    answerMs: answer.wallMs,
    decisionMs: decision.wallMs,
  };
}

interface Piece {
  readonly writes: Range;
  /** Besides its prompt. */
  readonly reads: Range;
  /** Calls: one, and one more for each time it uses tools. */
  readonly turns: Range;
}

const ONCE: Range = { low: 1, high: 1 };
const NOTHING: Range = { low: 0, high: 0 };

/** An answer, a vote, a presentation, with all calls it takes; not yet priced. */
function pieceOf(agent: ForecastAgent, { writes, reads, turns }: Piece): Estimate {
  const most = agent.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const text = { low: Math.min(writes.low, most), high: Math.min(writes.high, most) };
  const { firstTokenMs, tokensPerSecond } = agent.isLocal ? assumed.localSpeed : assumed.hostedSpeed;
  const toolTurns = turns.high - 1;
  // Each turn reads again what tools gave in the turns before it.
  const toolTokens = (toolTurns * (toolTurns + 1) * (assumed.toolResultTokens + assumed.toolCallTokens)) / 2;
  const written = text.high + toolTurns * assumed.toolCallTokens;
  return {
    calls: turns,
    inputTokens: {
      low: turns.low * (agent.promptTokens + reads.low),
      high: turns.high * (agent.promptTokens + reads.high) + toolTokens,
    },
    outputTokens: { low: text.low, high: written },
    costUsd: NOTHING,
    wallMs: {
      low: turns.low * firstTokenMs.low + (text.low * 1000) / tokensPerSecond.high,
      high: turns.high * firstTokenMs.high + (written * 1000) / tokensPerSecond.low,
    },
  };
}

function priced({ price }: ForecastAgent, estimate: Estimate, cachedTokens: number): Estimate {
  const { inputTokens, outputTokens } = estimate;
  const low = costUsd({ inputTokens: inputTokens.low, outputTokens: outputTokens.low, cachedTokens }, price);
  const high = costUsd({ inputTokens: inputTokens.high, outputTokens: outputTokens.high, cachedTokens: 0 }, price);
  return { ...estimate, costUsd: low === null || high === null ? null : { low, high } };
}

/** Agents work side by side, except in a pipeline; the slowest of a step counts. */
function wallOf(parts: readonly Parts[], { steps, isPipeline, attempts }: RunWork, shared: Estimate, { limits }: Policy): Range {
  const slowest = (of: (part: Parts) => number): number => Math.max(...parts.map(of));
  const at = (end: "low" | "high"): number => {
    const work = isPipeline
      ? parts.reduce((sum, { answerMs }) => sum + answerMs[end] * steps.answers[end], 0)
      : steps.answers[end] * slowest(({ answerMs }) => answerMs[end]) + steps.decisions[end] * slowest(({ decisionMs }) => decisionMs[end]);
    return Math.min(work, limits.orchestratorMs * attempts[end]) + shared.wallMs[end];
  };
  return { low: at("low"), high: at("high") };
}

function limitAgent({ own, shared }: Parts, { budget }: Policy): Estimate {
  const all = add(own, perhaps(shared));
  if (budget === null) return all;
  const { maxLlmCalls, maxTotalTokens, maxTotalCostUsd, maxAgentTokens, maxAgentCostUsd } = budget;
  return within(all, {
    calls: maxLlmCalls,
    tokens: lesser(maxTotalTokens, maxAgentTokens),
    costUsd: lesser(maxTotalCostUsd, maxAgentCostUsd),
  });
}

const limitRun = (total: Estimate, { budget }: Policy): Estimate =>
  budget === null ? total : within(total, { calls: budget.maxLlmCalls, tokens: budget.maxTotalTokens, costUsd: budget.maxTotalCostUsd });

const lesser = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

function assumptionsOf(work: RunWork, { mode, policy, agents }: ForecastSubject): readonly string[] {
  const { answerTokens, decisionTokens, answersPerAgent, turnsWithTools } = assumed;
  const decides = work.agents.some(({ decisions }) => decisions.high > 0);
  const isUncapped = capOf(mode, policy) === null && decides && mode !== "refine";
  const span = ({ low, high }: Range): string => `${low} to ${high}`;
  return [
    `An answer is ${span(answerTokens)} tokens, thinking included${decides ? `; a vote or a stop is ${span(decisionTokens)}` : ""}.`,
    ...(isUncapped
      ? [`Nothing caps the answers, so up to ${answersPerAgent} of each agent are counted; max_new_answers_per_agent makes that a rule.`]
      : []),
    ...(agents.some(({ hasTools }) => hasTools)
      ? [`Agents with tools take ${span(turnsWithTools)} calls for each answer or ${mode === "decomposition" ? "stop" : "vote"}.`]
      : []),
    ...(policy.maxRestarts > 0 ? [`The highest values are for all ${policy.maxRestarts + 1} attempts.`] : []),
    ...(agents.some(({ price }) => price === null) ? ["A price that is in no list is unknown, and with it the cost of the whole."] : []),
    ...(policy.budget === null ? [] : ["A limit of the budget is taken as the end; calls under way when it is reached come on top."]),
    "Retries after failures of a vendor come on top.",
  ];
}
