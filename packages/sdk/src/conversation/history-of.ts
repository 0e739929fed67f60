import { join } from "node:path";
import type { HistoryMessage } from "@massgen/core";
import { isUsable, type SessionTurn } from "@massgen/logs";
import type { PreviousTurn } from "../hands/previous-turn.js";

/** What agents are told of the turns before: every question with its answer, or with what was there when it was cut off. */
export const historyOf = (turns: readonly SessionTurn[]): readonly HistoryMessage[] =>
  turns.filter(isUsable).flatMap((turn): readonly HistoryMessage[] => [
    { role: "user", text: turn.task },
    { role: "assistant", text: turn.status === "complete" ? (turn.answer ?? "") : whatWasThere(turn) },
  ]);

/** Agents know each other by `agent1`, `agent2`, …, also of turns that are over. */
function whatWasThere({ phase, partial, workspaces }: SessionTurn): string {
  const blocks = partial.map(({ agent, anon, answer }) => {
    const files = workspaces.get(agent);
    const where = files === undefined ? "" : `Its files are in ${files}.`;
    return `${anon}: ${answer ?? `no answer yet. ${where}`.trim()}`;
  });
  return `(This turn was cut off ${PHASES[phase ?? ""] ?? "before it had a result"}. There is no final answer; this is what each agent had by then.)\n\n${blocks.join("\n\n")}`;
}

const PHASES: Readonly<Record<string, string>> = {
  coordinating: "while the agents were answering and voting",
  presenting: "while the winner was writing the final answer",
  evaluating: "while the final answer was being judged",
};

/** The folders with the files of earlier turns. */
export const filesOf = (turns: readonly SessionTurn[]): readonly PreviousTurn[] =>
  turns.flatMap(({ turn, workspace, workspaces }): readonly PreviousTurn[] => {
    if (workspace !== null) return [{ turn, path: workspace }];
    const [first] = workspaces.values();
    return first === undefined ? [] : [{ turn, path: join(first, ".."), isCutOff: true }];
  });
