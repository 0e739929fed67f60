/** How the text of a file became another. */
export interface TextDiff {
  readonly addedLines: number;
  readonly removedLines: number;
  /** Unified, three lines of context; `null` for what is no text, is large, or has too little in common. */
  readonly diff: string | null;
  readonly isBinary: boolean;
}

/** What became of one file of the user's. */
export interface FileChange extends TextDiff {
  /** Where it belongs; absolute. */
  readonly path: string;
  /** As people read it: relative to the context path, with `/`. */
  readonly name: string;
  readonly kind: "added" | "modified" | "deleted";
  /** Bytes; `null` for what is not there. */
  readonly sizeBefore: number | null;
  readonly sizeAfter: number | null;
  /** Where a link leads to; `null` for a file. */
  readonly linkTo: string | null;
  readonly isProgram: boolean;
  /** Tools run it by themselves one day: workflows, hooks, build files. */
  readonly runsLater: boolean;
}
