import type { AgentId } from "../ids.js";

/** What a run may spend (docs/spec/coordination.md 7 W3). `null`: no such limit. */
export interface BudgetLimits {
  readonly maxTotalTokens: number | null;
  readonly maxTotalCostUsd: number | null;
  /** Requests to models, retries included as far as they are known. */
  readonly maxLlmCalls: number | null;
  readonly maxAgentTokens: number | null;
  readonly maxAgentCostUsd: number | null;
  /** Of one round of one agent. */
  readonly maxRoundCostUsd: number | null;
  /** Share of a limit, from 0 to 1, at which a warning goes on record. */
  readonly warnAt: number;
  /** Share of the limits of the run that only the final answer may use, and of an agent's limits that only its votes may. */
  readonly reserveForFinal: number;
}

export type BudgetScope = "run" | "agent" | "round";
export type BudgetUnit = "tokens" | "cost_usd" | "calls";
/**
 * What comes of it: no new rounds and the best answer so far; the agent only votes, or asks nothing more; its round ends; no presentation; the answer is
 * released unjudged; without being asked, tools that may not be undone are kept for the end. */
export type BudgetConsequence = "run_ends" | "vote_only" | "agent_stops" | "round_ends" | "stored_answer" | "unjudged" | "unasked";

interface OfBudget {
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  readonly used: number;
  readonly limit: number;
}

export type BudgetFact =
  | { readonly type: "budget_set"; readonly limits: BudgetLimits }
  /** A limit is nearly used up: once per limit. `agent`: whose; `null` for those of the run. */
  | ({ readonly type: "budget_warning"; readonly agent: AgentId | null } & OfBudget)
  /**
   * A limit leaves no room. `agent`: whose request was not sent; `null` when a new round was due. `requested`: what the
   * request would have used, estimated. `lastText`: what the agent had said last in its round.
   */
  | ({
      readonly type: "budget_exceeded";
      readonly agent: AgentId | null;
      readonly requested: number;
      readonly consequence: BudgetConsequence;
      readonly lastText: string;
    } & OfBudget)
  /** Limits in dollars do not see what this agent spends: the price of its model is unknown. Once per agent. */
  | { readonly type: "price_unknown"; readonly agent: AgentId };
