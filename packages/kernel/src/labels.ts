import type { AnonId, AnswerLabel } from "@massgen/contracts";

/** `agent1` for the first agent of the configuration. */
export const anonIdAt = (index: number): AnonId => `agent${index + 1}`;

export const labelOf = (anon: AnonId, version: number): AnswerLabel => `${anon}.${version}`;

const TARGET = /^agent[\s_]*([1-9]\d*)(?:\.\d+)?$/;
const WRAPPING = /^[\s<>[\]"'.]+|[\s<>[\]"'.]+$/g;

/**
 * The agent a vote means, or `null` when the text names none: `agent2`, `Agent 2`, `agent_2`, `<agent2>` and the label
 * `agent2.1` are all agent2. Always read as an anonymous id, even if an agent happens to be configured under that name.
 */
export function parseVoteTarget(text: string): AnonId | null {
  const number = TARGET.exec(text.replace(WRAPPING, "").toLowerCase())?.[1];
  return number === undefined ? null : `agent${Number(number)}`;
}
