import type { AgentId, EpochMillis, GateName, Recorded } from "@massgen/contracts";

/** A limit that had a say in how the run went. */
export interface LimitHit {
  readonly limit:
    | "per_agent"
    | "global"
    | "safety"
    | "orchestrator"
    | "soft"
    | "hard"
    | "stragglers"
    | "deadlock"
    | "debate"
    | "stagnation"
    | "answer_now"
    | "budget";
  readonly agent: AgentId | null;
  /** Answers, debates and rounds for counts, milliseconds for times, what a budget allows, `null` where there is no number. */
  readonly value: number | null;
  readonly gates: readonly GateName[];
  readonly at: EpochMillis;
}

export function limitOf(record: Recorded): LimitHit | null {
  const hit = { agent: null, value: null, gates: [], at: record.at };
  switch (record.type) {
    case "limit_reached":
      return { ...hit, limit: record.limit, agent: record.agent, value: record.value };
    case "orchestrator_timeout":
      return { ...hit, limit: "orchestrator", value: record.limitMs };
    case "soft_timeout":
      return { ...hit, limit: "soft", agent: record.agent, value: record.limitMs };
    case "hard_timeout":
      return { ...hit, limit: "hard", agent: record.agent, value: record.limitMs };
    case "stragglers_given_up":
      return { ...hit, limit: "stragglers" };
    case "budget_exceeded":
      return { ...hit, limit: "budget", agent: record.scope === "run" ? null : record.agent, value: record.limit };
    case "debate_started":
      return { ...hit, limit: "debate", value: record.debate };
    case "stagnation_restart":
      return { ...hit, limit: "stagnation", value: record.rounds };
    case "answer_now_requested":
      return { ...hit, limit: "answer_now" };
    case "deadlock_avoided":
      return { ...hit, limit: "deadlock", gates: record.gates };
    default:
      return null;
  }
}
