import { built, closed, type KeySpec, type KeyTable } from "../key-table.js";
import { count, positive, share } from "../shapes.js";

/** What a run may spend (docs/spec/config.md 12). */
export const budgetKeys: {
  readonly max_total_tokens: KeySpec<number>;
  readonly max_total_cost_usd: KeySpec<number>;
  readonly max_llm_calls: KeySpec<number>;
  readonly max_agent_tokens: KeySpec<number>;
  readonly max_agent_cost_usd: KeySpec<number>;
  readonly max_round_cost_usd: KeySpec<number>;
  readonly warn_at: KeySpec<number>;
  readonly reserve_for_final: KeySpec<number>;
} = {
  max_total_tokens: built(count),
  max_total_cost_usd: built(positive),
  max_llm_calls: built(count),
  max_agent_tokens: built(count),
  max_agent_cost_usd: built(positive),
  max_round_cost_usd: built(positive),
  warn_at: built(share),
  reserve_for_final: built(share),
};

export const budgetTable: KeyTable = closed("CFG043", "CFG033", budgetKeys);
