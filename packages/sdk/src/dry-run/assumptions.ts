import type { Range } from "./estimate.js";

interface Speed {
  readonly firstTokenMs: Range;
  readonly tokensPerSecond: Range;
}

/** What no rule of a config says and a forecast needs all the same: how much models write, and how fast. */
export interface Assumptions {
  /** Thinking included. */
  readonly answerTokens: Range;
  /** A vote, a stop, a judgement, a plan. */
  readonly decisionTokens: Range;
  /** Of one agent, where nothing caps them. */
  readonly answersPerAgent: number;
  /** Calls for one answer or vote of an agent that has tools. */
  readonly turnsWithTools: Range;
  readonly toolCallTokens: number;
  readonly toolResultTokens: number;
  readonly hostedSpeed: Speed;
  readonly localSpeed: Speed;
}

export const assumed: Assumptions = {
  answerTokens: { low: 300, high: 3000 },
  decisionTokens: { low: 50, high: 600 },
  answersPerAgent: 3,
  turnsWithTools: { low: 1, high: 8 },
  toolCallTokens: 150,
  toolResultTokens: 1500,
  hostedSpeed: { firstTokenMs: { low: 500, high: 4000 }, tokensPerSecond: { low: 40, high: 150 } },
  localSpeed: { firstTokenMs: { low: 300, high: 8000 }, tokensPerSecond: { low: 8, high: 80 } },
};
