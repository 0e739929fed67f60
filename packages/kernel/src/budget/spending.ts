import type { AgentId, BudgetLimits, CoordinationEvent, Usage } from "@massgen/contracts";

/** Tokens in and out; dollars of what has a known price. */
export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

/** What one agent has spent, and what that did to it. */
export interface AgentSpending extends Spent {
  /** Tokens of its longest response: what the next one may take when nothing bounds it. */
  readonly longestResponse: number;
  /** Round of its newest spending; `null` before any, and in a new attempt, whose rounds count from 0 again. */
  readonly round: number | null;
  readonly roundCostUsd: number;
  readonly may: "answer" | "vote" | "nothing";
}

/** Everything spent in a run: a fold over its facts that nothing ever resets, neither a new attempt nor a resume. */
export interface Spending extends Spent {
  /** For viewers; what is judged by is the policy. */
  readonly limits: BudgetLimits | null;
  readonly calls: number;
  readonly agents: ReadonlyMap<AgentId, AgentSpending>;
  /** Names of the limits that were warned of. */
  readonly warned: readonly string[];
  readonly unpriced: readonly AgentId[];
  /** A limit of the run left no room: no new rounds, the best answer so far is final. */
  readonly isUsedUp: boolean;
}

export const nothingSpent: Spending = {
  limits: null,
  tokens: 0,
  costUsd: 0,
  calls: 0,
  agents: new Map(),
  warned: [],
  unpriced: [],
  isUsedUp: false,
};

const untouched: AgentSpending = { tokens: 0, costUsd: 0, longestResponse: 0, round: null, roundCostUsd: 0, may: "answer" };

export const spendingOf = (spending: Spending, agent: AgentId): AgentSpending => spending.agents.get(agent) ?? untouched;

/** The name under which a limit is warned of once; a round's limit is one of its own in every round. */
export const limitName = (scope: string, unit: string, agent: AgentId | null, round: number | null): string =>
  JSON.stringify(scope === "round" ? [scope, unit, agent, round] : [scope, unit, agent]);

/** Folds one fact; gives the same object for facts that are not about money. */
export function spend(spending: Spending, fact: CoordinationEvent): Spending {
  switch (fact.type) {
    case "budget_set":
      return withSpending(spending, { limits: fact.limits });
    case "usage_recorded":
      return addUsage(spending, fact.agent, fact.round, fact.usage);
    case "llm_call":
      return fact.status === "started" || fact.status === "retrying" ? withSpending(spending, { calls: spending.calls + 1 }) : spending;
    case "budget_warning": {
      const round = fact.agent === null ? null : spendingOf(spending, fact.agent).round;
      return withSpending(spending, { warned: [...spending.warned, limitName(fact.scope, fact.unit, fact.agent, round)] });
    }
    case "attempt_restarted":
      return withSpending(spending, { agents: new Map([...spending.agents].map(([id, agent]) => [id, { ...agent, round: null }])) });
    case "price_unknown":
      return withSpending(spending, { unpriced: [...spending.unpriced, fact.agent] });
    case "budget_exceeded":
      if (fact.consequence === "run_ends" || (fact.consequence === "stored_answer" && fact.scope === "run"))
        return withSpending(spending, { isUsedUp: true });
      if (fact.agent === null || fact.scope !== "agent") return spending;
      return withSpending(spending, {
        agents: new Map(spending.agents).set(fact.agent, {
          ...spendingOf(spending, fact.agent),
          may: fact.consequence === "vote_only" ? "vote" : "nothing",
        }),
      });
    default:
      return spending;
  }
}

function addUsage(spending: Spending, id: AgentId, round: number, usage: Usage): Spending {
  const agent = spendingOf(spending, id);
  const tokens = usage.inputTokens + usage.outputTokens;
  const costUsd = usage.costUsd ?? 0;
  const changed: AgentSpending = {
    tokens: agent.tokens + tokens,
    costUsd: agent.costUsd + costUsd,
    longestResponse: Math.max(agent.longestResponse, usage.outputTokens),
    round,
    roundCostUsd: round === agent.round ? agent.roundCostUsd + costUsd : costUsd,
    may: agent.may,
  };
  return withSpending(spending, {
    tokens: spending.tokens + tokens,
    costUsd: spending.costUsd + costUsd,
    agents: new Map(spending.agents).set(id, changed),
  });
}

/** A copy with some of it changed; written out for the same reason as `copy.ts`. */
const withSpending = (spending: Spending, changes: Partial<Spending>): Spending =>
  Object.assign(
    {
      limits: spending.limits,
      tokens: spending.tokens,
      costUsd: spending.costUsd,
      calls: spending.calls,
      agents: spending.agents,
      warned: spending.warned,
      unpriced: spending.unpriced,
      isUsedUp: spending.isUsedUp,
    } satisfies Spending,
    changes,
  );
