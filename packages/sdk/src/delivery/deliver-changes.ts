import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentId, FileChange } from "@massgen/contracts";
import type { ApplyReport, KeptChanges } from "@massgen/workspace";
import type { ChangedFile, ChangeOutcome, ChangesReport, ReviewChanges, ReviewDecision } from "./report.js";

export interface DeliveryOptions {
  readonly runId: string;
  readonly presenter: AgentId;
  /** The final answer. */
  readonly answer: string;
  readonly kept: KeptChanges;
  /** False for the changes of a presenter that did not come to an end: they are kept and not brought. */
  readonly isWhole: boolean;
  /** Absent: all is brought at once. */
  readonly review?: ReviewChanges | undefined;
  readonly signal: AbortSignal;
  /** Where the record is written, and what was not brought; `null` without logs. */
  readonly recordIn: string | null;
  readonly redact: (text: string) => string;
}

/** What was decided, on the disk before anything is brought: whoever goes on after a crash does not ask again. */
interface Decided {
  readonly by: "run" | "person";
  /** `null`: all. */
  readonly paths: readonly string[] | null;
}

/**
 * Decides about kept changes, brings what is accepted, and records what became of each. Nothing is lost: what is not
 * brought stays on the disk.
 */
export async function deliverChanges(options: DeliveryOptions): Promise<ChangesReport> {
  const { kept, presenter, recordIn } = options;
  const { applyKeptChanges, forgetChanges } = await import("@massgen/workspace");
  const decided = options.isWhole ? await decide(options) : null;
  const wanted = decided === null ? new Set<string>() : new Set(decided.paths ?? kept.changes.map(({ path }) => path));
  const done = decided === null ? null : await applyKeptChanges(kept.folder, { only: wanted });
  const files = kept.changes.map((change) => fileOf(change, options, wanted, done));
  const isOpen = files.some(({ outcome }) => outcome === "waiting");
  forgetChanges(kept.folder, new Set((done?.applied ?? []).map(({ path }) => path)));
  const isLeft = files.some(({ outcome }) => outcome !== "applied");
  const report: ChangesReport = {
    presenter,
    decidedBy: decided === null ? "nobody" : decided.by,
    files,
    keptIn: !isLeft ? null : recordIn === null || isOpen ? kept.folder : join(recordIn, "undelivered"),
    recordPath: recordIn === null ? null : join(recordIn, "delivered_changes.json"),
    diffPath: recordIn === null ? null : join(recordIn, "changes.diff"),
    skipped: kept.skipped.map(({ path }) => path),
  };
  if (recordIn !== null) await record(report, recordIn, options);
  if (isLeft && report.keptIn !== null && report.keptIn !== kept.folder) await move(kept.folder, report.keptIn);
  return report;
}

async function decide({ kept, review, signal, presenter, answer }: DeliveryOptions): Promise<Decided | null> {
  const file = join(kept.folder, "decision.json");
  const before = await readDecided(file);
  if (before !== null) return before;
  if (review === undefined && kept.askFirst) return null;
  const { conflictsOfKept } = await import("@massgen/workspace");
  const { changes, refused } = kept;
  const conflicts = (): ReadonlyMap<string, string> => conflictsOfKept(kept.folder);
  const decision =
    review === undefined ? ({ accept: "all" } as const) : await ask(review, { presenter, answer, changes, refused, conflicts }, signal);
  if (decision.accept === "later") return null;
  const paths = decision.accept === "all" ? null : decision.accept === "some" ? decision.paths : [];
  const decided: Decided = { by: review === undefined ? "run" : "person", paths };
  await writeFile(file, `${JSON.stringify(decided)}\n`, { mode: 0o600, flush: true });
  return decided;
}

/** Whoever cannot be asked has not agreed, nor refused. */
async function ask(review: ReviewChanges, proposed: Parameters<ReviewChanges>[0], signal: AbortSignal): Promise<ReviewDecision> {
  if (signal.aborted) return { accept: "later" };
  try {
    return await review(proposed, signal);
  } catch {
    return { accept: "later" };
  }
}

async function readDecided(file: string): Promise<Decided | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Decided;
  } catch {
    // Torn by a crash: it was not decided.
    return null;
  }
}

function fileOf(
  change: FileChange,
  { kept, isWhole }: DeliveryOptions,
  wanted: ReadonlySet<string>,
  done: ApplyReport | null,
): ChangedFile {
  const { diff: _shownElsewhere, ...file } = change;
  const as = (outcome: ChangeOutcome, reason: string | null): ChangedFile => ({ ...file, outcome, reason });
  if (kept.refused.has(change.path)) return as("refused", "the config, or a rule for files of its kind, forbids agents to write it");
  if (!isWhole) return as("unfinished", "the presenter did not come to an end");
  if (done === null) return as("waiting", "nobody has decided yet");
  if (!wanted.has(change.path)) return as("rejected", "it was rejected");
  const conflict = done.conflicts.find((one) => one.change.path === change.path);
  return conflict === undefined ? as("applied", null) : as("conflict", conflict.reason);
}

async function record(report: ChangesReport, folder: string, { runId, kept, redact }: DeliveryOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = report.files.map((file) => ({
    path: file.path,
    name: file.name,
    kind: file.kind,
    outcome: file.outcome,
    reason: file.reason,
    added_lines: file.addedLines,
    removed_lines: file.removedLines,
    size_before: file.sizeBefore,
    size_after: file.sizeAfter,
    is_binary: file.isBinary,
    link_to: file.linkTo,
    is_program: file.isProgram,
    runs_later: file.runsLater,
  }));
  const { presenter, decidedBy, keptIn, skipped } = report;
  const document = { schema: 1, run_id: runId, presenter, decided_by: decidedBy, kept_in: keptIn, files, skipped };
  await writeFile(join(folder, "delivered_changes.json"), `${redact(JSON.stringify(document, null, 2))}\n`, { mode: 0o600 });
  await writeFile(join(folder, "changes.diff"), redact(diffOf(kept.changes)), { mode: 0o600 });
}

/** The diffs of all texts, each under its full path; of what is no text, a line that says so. */
const diffOf = (changes: readonly FileChange[]): string =>
  changes
    .map(({ path, kind, diff, linkTo }) => {
      if (diff !== null) return `# ${kind} ${path}\n${diff}`;
      return `# ${kind} ${path}${linkTo === null ? " (no text, or too large to be shown)" : ` -> ${linkTo}`}\n`;
    })
    .join("");

/** The log may be on another disk. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  await rm(from, { recursive: true, force: true });
}
