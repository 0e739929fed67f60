import type { Agent, HistoryMessage } from "@massgen/core";

/** Of the smallest context window of the team, what earlier turns may take: the rest is for answers, tools and thinking. */
const SHARE = 0.5;
/** Few texts have more tokens than one for every three characters; those in Chinese, Japanese and Korean letters do. */
const CHARS_PER_TOKEN = 3;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * What was said before, as far as every agent of the team can take it in: all of it, or without the oldest messages, with a
 * message in their place that says so. `onLeftOut` is told in words for people. Agents whose window nobody knows set no limit.
 */
export function limitHistory(
  history: readonly HistoryMessage[],
  agents: readonly Pick<Agent, "backend">[],
  onLeftOut: (message: string) => void,
): readonly HistoryMessage[] {
  const windows = agents.flatMap(({ backend }) => backend.capabilities.contextWindowTokens ?? []);
  let left = Math.min(...windows) * SHARE;
  let from = history.length;
  while (from > 0 && left > 0) {
    left -= tokensIn(history[from - 1]?.text ?? "");
    if (left >= 0) from -= 1;
  }
  // What was asked and what came of it stay together, and the last of both always stays.
  from = Math.min(from, Math.max(0, history.length - 2));
  if (history[from]?.role === "assistant" && from > 0 && from < history.length - 1) from += 1;
  if (from === 0) return history;
  const count = history.slice(0, from).filter(({ role }) => role === "user").length;
  const what = `The first ${count === 1 ? "question" : `${count} questions`} of this conversation and what came of ${count === 1 ? "it" : "them"}`;
  onLeftOut(`${what} are too long for the agents of this team; they are left out.`);
  return [{ role: "user", text: `(${what} are left out here.)` }, ...history.slice(from)];
}

function tokensIn(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + (text.length - wide) / CHARS_PER_TOKEN;
}
