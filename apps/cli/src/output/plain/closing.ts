import { formatCost, formatCount, formatDuration, type RunView } from "@massgen/views";
import { changedFilesLines } from "../changed-files.js";
import { cut, pad, wrapProse } from "../columns.js";
import type { RunEnd, RunStart } from "../screen.js";
import { visibleLine, visibleText } from "../visible-text.js";
import { budgetInWords } from "./budget.js";
import { SIMULATED } from "./header.js";
import type { Layout } from "./layout.js";
import { counted, nameOf } from "./names.js";

/** The end of a run: the answer in full, where its record lies, what it took. */
export function closingLines(
  { result, durationMs, outputFile, calls }: RunEnd,
  view: RunView,
  start: RunStart | null,
  { width, paint, isScreen }: Layout,
): readonly string[] {
  if (result.finalAnswer === null) {
    const isSaved = result.status === "cancelled" && result.logDirectory !== null;
    return isSaved ? ["", `Stopped. What was there is saved in ${visibleLine(result.logDirectory)}`] : [];
  }
  const earlier = view.state.earlierAttemptUsed;
  const caveat =
    result.status === "partial" && earlier !== null
      ? `Partial: the last attempt came to nothing, this is what attempt ${earlier} had presented.`
      : CAVEATS[result.status];
  const answer = visibleText(result.finalAnswer).replace(/\n+$/, "");
  const author = result.winner === null ? "" : ` · ${nameOf(view.state, result.winner)}`;
  const rule = "─".repeat(Math.max(10, Math.min(width - 1, 72)));
  const places: readonly (readonly [string, string | null])[] = [
    ["answer", result.finalAnswerPath],
    ["decision", result.attemptDirectory === null || view.state.mode === "single" ? null : `${result.attemptDirectory}/decision.md`],
    ["logs", result.logDirectory],
    ["written", outputFile],
  ];
  return [
    "",
    paint.winner(`Final answer${author}`),
    ...(caveat === null ? [] : [paint.warning(caveat)]),
    rule,
    ...(isScreen ? wrapProse(answer, width - 1) : answer.split("\n")),
    rule,
    ...(start?.simulated === true ? [paint.warning(cut(SIMULATED, width))] : []),
    ...places.filter((place) => place[1] !== null).map(([what, path]) => `${paint.faint(pad(what, 9))} ${visibleLine(path ?? "")}`),
    ...changedFilesLines(result.changes),
    paint.faint(`${spentLine(result.usage, calls ?? callsIn(view), durationMs)}${budgetInWords(view.state)}`),
  ];
}

/** What to know about an answer that is not the regular end of a run. */
const CAVEATS: Readonly<Record<RunEnd["result"]["status"], string | null>> = {
  completed: null,
  tool_calls: null,
  error: null,
  timeout: "The time limit was reached: this is the best answer so far.",
  cancelled: "The run was interrupted: this is the best answer so far.",
  partial: "Partial: saved from unfinished work, nobody has judged it.",
  budget: "The budget is used up: this is the best answer so far.",
};

function spentLine(usage: RunEnd["result"]["usage"], calls: number, durationMs: number): string {
  const tokens =
    usage.totalTokens === 0 ? "tokens unknown" : `${formatCount(usage.promptTokens)} tokens in, ${formatCount(usage.completionTokens)} out`;
  return `${formatDuration(durationMs)} · ${counted(calls, "model call")} · ${tokens} · cost ${formatCost(usage.estimatedCost)}`;
}

/** Of all attempts, as the tokens are. */
const callsIn = (view: RunView): number => [...view.pastAttempts, view].reduce((sum, { activity }) => sum + activity.calls.length, 0);
