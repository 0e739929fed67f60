import type { AgentId, AnonId } from "@massgen/contracts";
import { agentsOf, parseVoteTarget, type RunState } from "@massgen/kernel";
import type { RunContext } from "./run-context.js";

/** `text` as others may read it: with `scrubIdentities` without the ids and models of the configuration. */
export const scrubbed = (text: string, author: AgentId, state: RunState, run: RunContext): string =>
  run.scrubIdentities ? scrubIdentities(text, author, state) : text;

/** An answer as `viewer` may read it and find its files. */
export const readable = (text: string, author: AgentId, viewer: AgentId, state: RunState, run: RunContext): string =>
  scrubbed(run.files.textFor(viewer, author, text), author, state, run);

/**
 * Every configured id and model name in place of `agentN`, where it stands as a word of its own: `gpt-5` inside
 * `gpt-5-mini` is another name. A model that several agents share stands for the author, if it is one of them, else for
 * the first. An id that reads as an anonymous one stays, because that is how agents speak of each other.
 */
function scrubIdentities(text: string, author: AgentId, state: RunState): string {
  const names = new Map<string, AnonId>();
  const agents = agentsOf(state);
  const writer = agents.filter(({ card }) => card.id === author);
  for (const { card } of [...agents.toReversed(), ...writer]) names.set(card.model, card.anon);
  for (const { card } of agents) if (parseVoteTarget(card.id) === null) names.set(card.id, card.anon);
  const longestFirst = [...names.keys()].filter((name) => name.trim() !== "").sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const word = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${longestFirst.map(escapeRegExp).join("|")})(?![\\p{L}\\p{N}_-]|\\.\\p{N})`, "gu");
  return text.replace(word, (name) => names.get(name) ?? name);
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
