import type { AgentId } from "@massgen/contracts";
import type { RunState } from "../state.js";

/** Another wording of the question for this agent, in turn over those there are; `null` for none. The same over all attempts. */
export function paraphraseFor({ order, paraphrasing }: RunState, agent: AgentId): string | null {
  const wordings = paraphrasing?.wordings ?? [];
  return wordings[order.indexOf(agent) % wordings.length] ?? null;
}
