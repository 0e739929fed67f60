import { agentOf, agentsOf } from "@massgen/kernel";
import { isTimeLimit } from "./agent-view.js";
import { type Ballot, whyNotCounted } from "./ballots.js";
import { type CellWidth, codePointWidth } from "./cells.js";
import { counterfactual } from "./counterfactual.js";
import { marginOf } from "./decision-report.js";
import { costSection, troubleSection } from "./decision-text-aftermath.js";
import type { DecisionView } from "./decision-view.js";
import { warningsOf } from "./decision-warnings.js";
import { counted, formatDuration, ordinal } from "./format.js";
import { markdownTable } from "./markdown-table.js";
import { excerpt, oneLine } from "./preview.js";
import { CRITERION, isWeighted, listOf, ruleText, standing, weightText } from "./rule-text.js";
import { nameOf, type RunView } from "./run-view.js";
import { countedBallots } from "./vote-report.js";
import { whatIfTexts } from "./what-if.js";

export interface DecisionTextOptions {
  readonly cellWidth?: CellWidth;
  /** Says on top that no model was asked. */
  readonly simulated?: boolean;
}

/** `decision.md`: for somebody who wants to know in one minute who won and why; `null` before the decision. */
export function decisionText({ atDecision: view }: RunView, options: DecisionTextOptions = {}): string | null {
  if (view === null || view.decision === null) return null;
  const { decision } = view;
  const cellWidth = options.cellWidth ?? codePointWidth;
  const sections = [
    "# Decision",
    options.simulated === true ? "*simulated: no model was asked, the answers are made up*" : null,
    `> ${excerpt(view.state.question, 300)}`,
    verdict(view, decision),
    listSection("Said while it ran", saidTexts(view)),
    partsSection(view),
    checksSection(view, cellWidth),
    votesSection(view, decision, cellWidth),
    reasonsSection(view, decision),
    dissentSection(view, decision),
    tieBreakSection(view, decision, cellWidth),
    counterfactualSection(view),
    uncountedSection(view, decision, cellWidth),
    listSection("Warnings", warningsOf(view)),
    troubleSection(view),
    costSection(view, decision, cellWidth),
  ];
  return `${sections.filter((section) => section !== null).join("\n\n")}\n`;
}

/** Who won and why, in one paragraph. */
function verdict(view: RunView, { fact }: DecisionView): string {
  const sentences = [headline(view, fact), ruleText(view) ?? ""];
  const margin = marginOf(standing(fact));
  const [, second] = standing(fact);
  if (margin !== null && margin > 0 && second !== undefined) {
    const lead = isWeighted(view) ? `a weight of ${weightText(margin)}` : counted(margin, "vote");
    sentences.push(`It was ${lead} ahead of ${second.label}.`);
  }
  const place = view.answers.findIndex((answer) => answer.label === fact.label);
  const answer = view.answers[place];
  if (answer !== undefined && view.startedAt !== null) {
    const which =
      view.answers.length === 1
        ? "It was the only answer of the run"
        : `It was the ${ordinal(place + 1)} of ${counted(view.answers.length, "answer")}`;
    sentences.push(
      `${which}, accepted ${formatDuration(answer.at - view.startedAt)} after the start; the decision fell at ${formatDuration(fact.at - view.startedAt)}.`,
    );
  }
  return sentences.join(" ");
}

function headline(view: RunView, { selection, label, winner }: DecisionView["fact"]): string {
  if (label === null || selection === "presenter") return `**${nameOf(view, winner)} presents the result.**`;
  return view.state.mode === "sequential"
    ? `**${label} by ${nameOf(view, winner)} is the result.**`
    : `**${label} by ${nameOf(view, winner)} won.**`;
}

/** What people said to the agents until then; it may have changed the task. */
const saidTexts = (view: RunView): readonly string[] =>
  view.state.inputs.map(({ text, agents }) => {
    const to = agents.length === view.state.order.length ? "" : `to ${listOf(agents.map((agent) => nameOf(view, agent)))}: `;
    return `${to}“${excerpt(oneLine(text), 300)}”`;
  });

/** Decomposition: who worked on what, and how it ended. */
function partsSection(view: RunView): string | null {
  if (view.state.mode !== "decomposition") return null;
  const parts = agentsOf(view.state).map(({ card, subtask, stop }) => {
    const end =
      stop === null
        ? ""
        : ` — ${stop.status}${stop.by === "limit" ? " (no answers left)" : ""}${stop.summary.trim() === "" ? "" : `: ${oneLine(stop.summary)}`}`;
    return `**${nameOf(view, card.id)}**: ${excerpt(subtask ?? "no part of its own", 300)}${end}`;
  });
  return listSection("Parts", parts);
}

/** What the user's own check said of each answer. */
function checksSection(view: RunView, cellWidth: CellWidth): string | null {
  const checked = view.state.answers.filter(({ verification }) => verification !== null);
  if (checked.length === 0) return null;
  const rows = checked.map(({ label, by, verification }) => {
    const { passed, exitCode, durationMs, summary } = verification!;
    const result = passed === null ? "not run" : passed ? "passed" : `failed${exitCode === null ? "" : ` (exit code ${exitCode})`}`;
    const out = view.decision?.fact.excluded?.includes(label) === true ? ", out" : "";
    return [label, nameOf(view, by), `${result}${out}`, formatDuration(durationMs), passed === true ? "" : oneLine(summary)];
  });
  const columns = ["answer", "by", "check", "took", "says"].map((title) => ({ title }));
  return `## Checks\n\n${markdownTable(columns, rows, cellWidth)}`;
}

function votesSection(view: RunView, decision: DecisionView, cellWidth: CellWidth): string | null {
  const votes = countedBallots(view);
  if (votes.length === 0) return null;
  const labels = candidateLabels(view, decision);
  const columns = [{ title: "voter" }, ...labels.map((title) => ({ title, align: "center" as const }))];
  const notes = view.state.order.map((id) => (votes.some((ballot) => ballot.voter === id) ? "" : whyNoVote(view, id)));
  const hasNotes = notes.some((note) => note !== "");
  const rows = view.state.order.map((id, place) => {
    const ballot = votes.find((vote) => vote.voter === id);
    const cells = labels.map((label) => (ballot?.targetLabel === label ? cellOf(ballot) : "·"));
    return [nameOf(view, id), ...cells, ...(hasNotes ? [notes[place] ?? ""] : [])];
  });
  const total = labels.map((label) => `**${weightText(decision.fact.tally.find((entry) => entry.label === label)?.weight ?? 0)}**`);
  const table = markdownTable(
    [...columns, ...(hasNotes ? [{ title: "note" }] : [])],
    [...rows, [isWeighted(view) ? "**weight**" : "**votes**", ...total]],
    cellWidth,
  );
  return `## Votes\n\n${table}`;
}

/** The newest answer of everybody, and older ones that votes of an older epoch were counted for. */
const candidateLabels = (view: RunView, { fact }: DecisionView): readonly string[] =>
  view.state.order.flatMap((id) => {
    const own = view.answers.filter((answer) => answer.agent === id);
    return own
      .filter((answer, place) => place === own.length - 1 || fact.tally.some(({ label }) => label === answer.label))
      .map(({ label }) => label);
  });

const cellOf = (ballot: Ballot): string => `${weightText(ballot.weight)}${ballot.voter === ballot.target ? " (own)" : ""}`;

function whyNoVote(view: RunView, id: string): string {
  const failure = view.agents.get(id)?.failures.findLast(({ fatal }) => fatal);
  if (failure !== undefined) return isTimeLimit(failure) ? "out of time" : `failed: ${failure.type}`;
  const outcome = view.agents.get(id)?.newestRound?.outcome;
  if (outcome === "abstained") return "abstained";
  return agentOf(view.state, id)?.standing === "cancelled" ? "stopped" : "no vote that counted";
}

function reasonsSection(view: RunView, { fact }: DecisionView): string | null {
  const reasons = countedBallots(view).filter((ballot) => ballot.targetLabel === fact.label);
  if (reasons.length === 0) return null;
  return listSection(
    `Why ${fact.label}`,
    reasons.map((ballot) => `**${nameOf(view, ballot.voter)}**${ownVote(ballot)}: ${quote(ballot.reason)}`),
  );
}

function dissentSection(view: RunView, { fact }: DecisionView): string | null {
  const votes = countedBallots(view);
  if (votes.length === 0) return null;
  const others = votes.filter((ballot) => ballot.targetLabel !== fact.label);
  if (others.length === 0) return "## Dissent\n\nNobody who voted preferred another answer.";
  return listSection(
    "Dissent",
    others.map((ballot) => `**${nameOf(view, ballot.voter)}** preferred ${ballot.targetLabel}${ownVote(ballot)}: ${quote(ballot.reason)}`),
  );
}

const ownVote = (ballot: Ballot): string => (ballot.voter === ballot.target ? ", its own" : "");
const quote = (reason: string): string => (reason.trim() === "" ? "no reason given" : `“${oneLine(reason)}”`);

function tieBreakSection(view: RunView, { fact }: DecisionView, cellWidth: CellWidth): string | null {
  if (fact.tieBreakTrace.length === 0) return null;
  const rows = fact.tieBreakTrace.map(({ criterion, values, survivors }) => [
    CRITERION[criterion],
    values.map(({ label, value }) => `${label}: ${criterion === "registration_order" ? placeOf(view, label) : value}`).join(", "),
    listOf(survivors),
  ]);
  return `## Tie-break\n\n${markdownTable([{ title: "criterion" }, { title: "values" }, { title: "left" }], rows, cellWidth)}`;
}

/** The criterion counts down from zero, so that more is better; people count places. */
const placeOf = (view: RunView, label: string): string => {
  const author = view.answers.find((answer) => answer.label === label)?.agent ?? "";
  return ordinal(view.state.order.indexOf(author) + 1);
};

function counterfactualSection(view: RunView): string | null {
  const text = counterfactual(view);
  return listSection("What would have changed it", [...(text === null ? [] : [text]), ...whatIfTexts(view)]);
}

function uncountedSection(view: RunView, { counted: countedSeqs }: DecisionView, cellWidth: CellWidth): string | null {
  const uncounted = view.ballots.filter((ballot) => !countedSeqs.includes(ballot.seq));
  if (uncounted.length === 0) return null;
  const rows = uncounted.map((ballot) => [
    nameOf(view, ballot.voter),
    ballot.targetLabel ?? nameOf(view, ballot.target),
    whyNotCounted(ballot, countedSeqs) ?? "",
    excerpt(ballot.reason, 80),
  ]);
  return `## Votes that did not count\n\n${markdownTable([{ title: "voter" }, { title: "for" }, { title: "why not" }, { title: "reason given" }], rows, cellWidth)}`;
}

const listSection = (title: string, items: readonly string[]): string | null =>
  items.length === 0 ? null : `## ${title}\n\n${items.map((item) => `- ${item}`).join("\n")}`;
