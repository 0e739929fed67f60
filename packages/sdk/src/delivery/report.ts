import type { AgentId, FileChange } from "@massgen/contracts";

/** What became of one change of the presenter's. `waiting`: nobody decided; `unfinished`: it did not come to an end. */
export type ChangeOutcome = "applied" | "rejected" | "conflict" | "refused" | "waiting" | "unfinished";

export interface ChangedFile extends Omit<FileChange, "diff"> {
  readonly outcome: ChangeOutcome;
  /** Why it was not applied, for people; `null` when it was. */
  readonly reason: string | null;
}

/** What the presenter changed in the user's files, and what came of it. */
export interface ChangesReport {
  readonly presenter: AgentId;
  /** Who decided: the run at once, a person, or nobody yet. */
  readonly decidedBy: "run" | "person" | "nobody";
  /** What tools run by themselves one day comes first. */
  readonly files: readonly ChangedFile[];
  /** Absolute folder with what was not applied; `null` when all was. */
  readonly keptIn: string | null;
  /** Absolute; `null` without logs. */
  readonly recordPath: string | null;
  /** Unified diffs of all texts; absolute, `null` without logs. */
  readonly diffPath: string | null;
  /** What stands in the copies and is neither file nor folder nor a link inside of them. Absolute. */
  readonly skipped: readonly string[];
}

/** Changes that wait for a decision. */
export interface ProposedChanges {
  readonly presenter: AgentId;
  /** What tools run by themselves one day comes first. `diff` is unified. */
  readonly changes: readonly FileChange[];
  /** By `path`: what is forbidden by the config, and not brought whatever is decided. */
  readonly refused: ReadonlySet<string>;
  /** The answer they belong to. */
  readonly answer: string;
  /** Which of them could not be brought now, because their places were changed meanwhile: by `path`, and why. */
  readonly conflicts: () => ReadonlyMap<string, string>;
}

/** Which changes are brought: all, none, or those with these `path`s. `later` leaves them waiting. */
export type ReviewDecision = { readonly accept: "all" | "none" | "later" } | { readonly accept: "some"; readonly paths: readonly string[] };

/** Asks a person. The signal aborts when the run is cancelled meanwhile; a rejection leaves the changes waiting. */
export type ReviewChanges = (proposed: ProposedChanges, signal: AbortSignal) => Promise<ReviewDecision>;
