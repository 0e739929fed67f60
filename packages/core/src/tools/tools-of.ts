import type { ToolHandler } from "@massgen/contracts";
import type { Agent } from "../coordinator/options.js";

/**
 * The tools an agent has as a conversation begins, those that may change behind those that do not. A name that is taken
 * stays with whoever had it first.
 */
export function toolsNow(agent: Agent | undefined): readonly ToolHandler[] {
  const fixed = agent?.tools ?? [];
  const changing = agent?.changingTools?.() ?? [];
  if (changing.length === 0) return fixed;
  const names = new Set(fixed.map(({ spec }) => spec.name));
  return [...fixed, ...changing.filter(({ spec }) => !names.has(spec.name))];
}
