import type { Style } from "../style.js";

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["Tab, ←, →, 1–9", "choose the agent whose stream is shown"],
  ["↑ ↓, j k, PgUp PgDn, wheel", "scroll; End or G follows again"],
  ["Enter, f", "final answer, or the newest answer of the agent"],
  ["b", "answers, every version: ← → to step, x what it changed"],
  ["v", "votes with their reasons"],
  ["o", "tool calls of the stream: all that was kept of them, or a line each"],
  ["w", "files of the agent: Enter opens one, ← → for the others"],
  ["m", "tools and MCP servers: state, calls, failures"],
  ["d", "why this answer won"],
  ["c", "tokens, cost and budget"],
  ["e", "everything that happened"],
  ["t", "timeline or stream, where only one has room"],
  ["a", "answer now: ask for the result"],
  ["i", "say something to the agents while they work; @name in front: to that one"],
  ["n", "in a conversation: questions for when this turn is over"],
  ["q, Ctrl+C", "stop the run, after asking; close what is open"],
  ["?", "this"],
];

export const helpLines = (style: Style): readonly string[] => KEYS.map(([keys, what]) => `${style("strong", keys.padEnd(28))} ${what}`);
