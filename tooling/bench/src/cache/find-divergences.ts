import { commonPrefixLength } from "../fake-vendor/prefix.js";
import type { WireCall } from "../fake-vendor/virtual-vendor.js";

export interface Divergences {
  readonly pairs: number;
  readonly beforeMessage: number;
  readonly beforeUnchangedAnswers: number;
}

const ANSWER_BLOCK = /<answer from="agent\d+">[\s\S]*?<\/answer>\n?/g;

/**
 * Where each two successive requests of one agent begin to differ. Between them only peers' answers changed, so all before
 * the answers must be the same, and so should the answers up to the first that was replaced.
 */
export function findDivergences(calls: readonly WireCall[], question: string): Divergences {
  let pairs = 0;
  let beforeMessage = 0;
  let beforeUnchangedAnswers = 0;
  for (const agent of new Set(calls.map((call) => call.agent))) {
    const prompts = calls.filter((call) => call.agent === agent).map((call) => call.prompt);
    for (const [place, later] of prompts.entries()) {
      const earlier = prompts[place - 1];
      if (earlier === undefined) continue;
      pairs += 1;
      const same = commonPrefixLength(earlier, later);
      if (same < endOf(later, question)) beforeMessage += 1;
      if (same < endOfUnchanged(earlier, later)) beforeUnchangedAnswers += 1;
    }
  }
  return { pairs, beforeMessage, beforeUnchangedAnswers };
}

const endOf = (prompt: string, part: string): number => prompt.lastIndexOf(part) + part.length;

/** End of the answers that stand first in both. Behind an answer that was replaced nothing can stay where it was. */
function endOfUnchanged(earlier: string, later: string): number {
  const before = earlier.match(ANSWER_BLOCK) ?? [];
  const now = [...later.matchAll(ANSWER_BLOCK)];
  const changed = now.findIndex((match, place) => match[0] !== before[place]);
  const last = now[(changed === -1 ? now.length : changed) - 1];
  return last === undefined ? 0 : last.index + last[0].length;
}
