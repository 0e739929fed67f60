import type { Recorded } from "@massgen/contracts";
import { type DecisionReport, decisionReport, isWeighted, preview, type RunView, weightText, whatIfTexts } from "@massgen/views";
import { counted } from "./plain/names.js";
import type { RunEnd, RunStart } from "./screen.js";
import { escapedLine } from "./visible-text.js";

/** The lines of automation mode, in the order of docs/spec/cli.md 10. Scripts match `^KEY: `; nothing here may move. */
export function openingLines({ question, logDirectory, statusFile, simulated }: RunStart): readonly string[] {
  return [
    ...keyed("LOG_DIR", logDirectory),
    ...keyed("STATUS", statusFile),
    ...keyed("QUESTION", preview(question, 500)),
    ...(simulated ? keyed("SIMULATED", "no model was asked, the answers come from stand-ins") : []),
    ...(statusFile === null ? [] : ["[Coordination in progress - monitor status.json for real-time updates]"]),
  ];
}

/** Said the moment it happens. */
export function passingLines(record: Recorded): readonly string[] {
  if (record.type === "orchestrator_timeout") return keyed("TIMEOUT", `${Number((record.limitMs / 1000).toFixed(3))}s`);
  return record.type === "attempt_restarted" ? keyed("RESTART", `Attempt ${record.attempt}/${record.maxAttempts}`) : [];
}

/** The result, or without an answer only how long it took; the reason is an `ERROR:` on stderr. */
export function resultLines({ result, durationMs, outputFile }: RunEnd, view: RunView): readonly string[] {
  const duration = secondsText(durationMs);
  if (result.finalAnswer === null) return ["", ...keyed("DURATION", duration)];
  return [
    "",
    ...keyed("WINNER", result.winner),
    ...keyed("ANSWER_FILE", result.finalAnswerPath),
    ...keyed("DURATION", duration),
    ...timelineLines(view),
    ...keyed("ANSWER_PREVIEW", preview(result.finalAnswer, 200, "[...]")),
    "",
    ...keyed("COMPLETED", `${counted(view.state.order.length, "agent")}, ${duration} total`),
    ...keyed("ANSWER", result.finalAnswerPath),
    ...keyed("FINAL_DIR", result.finalDirectory),
    ...keyed("OUTPUT_FILE", outputFile),
    ...changesLines(result.changes),
  ];
}

/** What became of the presenter's changes; nothing without any. */
function changesLines(changes: RunEnd["result"]["changes"]): readonly string[] {
  if (changes === null) return [];
  const applied = changes.files.filter(({ outcome }) => outcome === "applied").length;
  const left = changes.files.length - applied;
  return [
    ...keyed("FILES_CHANGED", String(applied)),
    ...(left === 0 ? [] : keyed("FILES_NOT_CHANGED", String(left))),
    ...keyed("CHANGES_FILE", changes.recordPath),
    ...keyed("CHANGES_KEPT", changes.keptIn),
  ];
}

/** The votes that decided, and what they came to; nothing for a run without votes. */
function timelineLines(view: RunView): readonly string[] {
  const { decision, ballots } = view;
  const votes = ballots.filter((ballot) => decision?.counted.includes(ballot.seq) ?? false);
  if (decision === null || votes.length === 0) return [];
  const weights = new Map<string, number>();
  for (const vote of votes) weights.set(vote.target, (weights.get(vote.target) ?? 0) + vote.weight);
  const weighed = (weight: number): string => (isWeighted(view) ? weightText(weight) : counted(weight, "vote"));
  const report = decisionReport(view);
  const results = [...weights].sort((a, b) => b[1] - a[1]);
  return [
    "TIMELINE:",
    ...votes.flatMap((vote) => [
      `  [VOTE] ${escapedLine(vote.voter)} -> ${escapedLine(vote.target)}`,
      `         Reason: ${escapedLine(preview(vote.reason, 50))}`,
    ]),
    "  [RESULTS]",
    ...results.map(
      ([agent, weight]) => `    ${escapedLine(agent)}: ${weighed(weight)}${agent === decision.fact.winner ? " (winner)" : ""}`,
    ),
    ...(report === null ? [] : whyLines(report, whatIfTexts(view))),
  ];
}

/** The rule that decided, whose vote it hung on, and what weakens it. */
const whyLines = ({ rule_text, warnings }: DecisionReport, whatIfs: readonly string[]): readonly string[] => [
  `  [WHY] ${escapedLine(rule_text)}`,
  ...whatIfs.map((text) => `  [WHAT IF] ${escapedLine(text)}`),
  ...warnings.map((text) => `  [WARNING] ${escapedLine(text)}`),
];

/** `12.3s` */
const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)}s`;

const keyed = (key: string, value: string | null): readonly string[] => (value === null ? [] : [`${key}: ${escapedLine(value)}`]);
