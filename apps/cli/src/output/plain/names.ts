import type { AgentId, AnswerLabel } from "@massgen/contracts";
import { type AgentState, agentOf, type RunState } from "@massgen/kernel";
import { visibleLine } from "../visible-text.js";

/** `agent1 ada`: the name of the log and the id of the config; one word where they are the same. */
export function nameOf(run: RunState, id: AgentId): string {
  const agent = agentOf(run, id);
  return agent === undefined ? visibleLine(id) : nameOfAgent(agent);
}

export function nameOfAgent({ card }: AgentState): string {
  const id = visibleLine(card.id);
  return id === card.anon ? id : `${card.anon} ${id}`;
}

/** `agent1.1`, or with the author where that is another word: `agent1.1 (ada)`. */
export function labelWithAuthor(run: RunState, label: AnswerLabel): string {
  const author = run.answers.find((answer) => answer.label === label)?.by;
  const card = author === undefined ? undefined : agentOf(run, author)?.card;
  return card === undefined || card.id === card.anon ? label : `${label} (${visibleLine(card.id)})`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "nobody";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export const counted = (count: number, one: string, many: string = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
