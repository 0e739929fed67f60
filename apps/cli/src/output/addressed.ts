import type { AgentId } from "@massgen/contracts";

/** `@ada the rest` is for ada, if there is one of that name. */
export function addressed(text: string, agents: readonly AgentId[]): { readonly text: string; readonly agent: AgentId | null } {
  const [, name = "", rest = ""] = /^@(\S+)\s+([\s\S]+)$/.exec(text.trim()) ?? [];
  return agents.includes(name) ? { text: rest, agent: name } : { text, agent: null };
}
