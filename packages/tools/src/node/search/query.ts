import type { FileHandle } from "node:fs/promises";

export interface Query {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  /** The pattern may go over line ends, and `.` too. */
  readonly multiline: boolean;
}

/** A file that was checked and opened; what is searched is this file, wherever its name leads by now. */
export interface Candidate {
  readonly path: string;
  readonly real: string;
  readonly handle: FileHandle;
}

/** Numbers of the lines with a match, counted from 1, rising; per candidate, none for those without. */
export type Matches = ReadonlyMap<Candidate, readonly number[]>;

/** Searches some files. Throws a refusal when the pattern is no pattern. */
export type SearchEngine = (query: Query, candidates: readonly Candidate[], signal: AbortSignal) => Promise<Matches>;
