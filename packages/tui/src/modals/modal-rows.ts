import { acceptedAttempt, costText, decisionText, formatDuration } from "@massgen/views";
import { fileContent, filesContent } from "../files/files-rows.js";
import { waitingContent } from "../prompt/waiting.js";
import { budgetRows } from "../rows/budget.js";
import { momentRow } from "../rows/timeline.js";
import type { Modal, ScreenState } from "../state.js";
import type { Style } from "../style.js";
import { lineOf, linesOf } from "../text.js";
import { changedLines } from "./answer-changes.js";
import { helpLines } from "./help.js";
import { markdownLines } from "./markdown.js";
import type { ModalContent } from "./modal-content.js";
import { toolsLines } from "./tools.js";

/** What a modal shows, all of it; the frame shows the part that is scrolled to. */
export function modalContent(state: ScreenState, modal: Modal, width: number, style: Style): ModalContent {
  switch (modal.name) {
    case "help":
      return { title: "Keys", lines: helpLines(style), of: 1 };
    case "answers":
      return answers(state, modal, width, style);
    case "votes":
      return { title: "Votes", lines: voteLines(state, width, style), of: 1 };
    case "decision":
      return { title: "Why this answer", lines: decisionLines(state, width, style), of: 1 };
    case "cost":
      return { title: "Cost", lines: costLines(state, width, style), of: 1 };
    case "events":
      return { title: "Everything that happened", lines: state.moments.map((moment) => momentRow(moment, width, style)), of: 1 };
    case "final":
      return { title: "Final answer", lines: finalLines(state, width, style), of: 1 };
    case "files":
      return filesContent(state, modal, width, style);
    case "file":
      return fileContent(state, width, style);
    case "tools":
      return { title: "Tools and MCP servers", lines: toolsLines(state, width, style), of: 1 };
    case "waiting":
      return waitingContent(state, modal, width, style);
    case "cancel":
      return {
        title: "Stop the run?",
        lines: [
          "What is there is saved, and `massgen --resume` can go on with it.",
          "",
          `${style("strong", "y")} stop    ${style("strong", "Esc")} go on`,
        ],
        of: 1,
      };
  }
}

function answers({ view }: ScreenState, { at, shows }: Modal, width: number, style: Style): ModalContent {
  const all = view.state.answers;
  const answer = all[Math.min(at, all.length - 1)];
  if (answer === undefined) return { title: "Answers", lines: [style("faint", "There are no answers yet.")], of: 1 };
  const meta = view.answers.find(({ label }) => label === answer.label);
  const before = all.slice(0, all.indexOf(answer)).findLast(({ by }) => by === answer.by) ?? null;
  const isCurrent = all.findLast(({ by }) => by === answer.by)?.label === answer.label;
  const facts = [
    answer.by,
    ...(meta === undefined || view.startedAt === null ? [] : [`after ${formatDuration(meta.at - view.startedAt)}`]),
    isCurrent ? "current" : "replaced by a later one",
    ...(answer.verification === null ? [] : [answer.verification.passed === true ? "passed your check" : "did not pass your check"]),
  ];
  const place = `(${Math.min(at, all.length - 1) + 1} of ${all.length})`;
  const head = [style("faint", lineOf(facts.join(" · "), width)), ""];
  if (shows === "text")
    return { title: `Answer ${answer.label} ${place}`, lines: [...head, ...markdownLines(answer.content, width, style)], of: all.length };
  const lines = before === null ? [style("faint", "It is the first.")] : changedLines(before.content, answer.content, width, style);
  return { title: `${answer.label}, changed from ${before?.label ?? "nothing"} ${place}`, lines: [...head, ...lines], of: all.length };
}

function voteLines({ view }: ScreenState, width: number, style: Style): readonly string[] {
  const { ballots } = view;
  if (ballots.length === 0) return [style("faint", "There are no votes yet.")];
  return ballots.flatMap((ballot) => {
    const fate = FATES[ballot.fate.is];
    const head = `${ballot.voter} → ${ballot.targetLabel ?? ballot.target}${fate === "" ? "" : ` (${fate})`}`;
    return [
      style(ballot.fate.is === "standing" ? "strong" : "faint", lineOf(head, width)),
      ...linesOf(ballot.reason, width - 2).map((line) => `  ${line}`),
      "",
    ];
  });
}

const FATES = {
  standing: "",
  ignored: "ignored: it had not seen the newest answers",
  voided: "void: a new answer came",
  cleared: "cleared for another look",
  withdrawn: "withdrawn",
} as const;

function decisionLines({ view }: ScreenState, width: number, style: Style): readonly string[] {
  const text = decisionText(acceptedAttempt(view));
  return text === null ? [style("faint", "Nothing is decided yet.")] : markdownLines(text, width, style);
}

function costLines(state: ScreenState, width: number, style: Style): readonly string[] {
  const limits = budgetRows(state.view.state.spending, width, style);
  const costs = linesOf(costText(state.view), width).map((line, index) => (index === 0 ? style("strong", line) : line));
  return limits.length === 0 ? costs : [...costs, "", style("strong", "budget"), ...limits];
}

function finalLines({ view, outcome }: ScreenState, width: number, style: Style): readonly string[] {
  const text = outcome?.answer ?? view.state.finalAnswer;
  if (text === null || text === undefined) return [style("faint", "There is no final answer yet.")];
  return markdownLines(text, width, style);
}
