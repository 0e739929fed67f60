/** Lines `from` to `to`, both counted from 1 and both seen. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What an agent knows of a file: the content it was shown or wrote, and when that was. */
export interface SeenFile {
  /** Hex, of all bytes of the file. */
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly lines: "all" | readonly LineRange[];
  readonly by: "read" | "create" | "write";
}

/**
 * Which files one agent has seen, by real path. It lives as long as the conversation that holds their content: a fresh
 * round whose workspace was cleared begins with an empty one.
 */
export interface SeenFiles {
  get(real: string): SeenFile | undefined;
  set(real: string, seen: SeenFile): void;
  forget(real: string): void;
  clear(): void;
}

export function createSeenFiles(): SeenFiles {
  const files = new Map<string, SeenFile>();
  return {
    get: (real) => files.get(real),
    set: (real, seen) => void files.set(real, withEarlier(files.get(real), seen)),
    forget: (real) => void files.delete(real),
    clear: () => files.clear(),
  };
}

/** Parts of the same content add up; a file the agent made stays its own. */
function withEarlier(earlier: SeenFile | undefined, seen: SeenFile): SeenFile {
  if (earlier === undefined) return seen;
  const by = earlier.by === "create" && seen.by !== "create" && earlier.sha256 === seen.sha256 ? "create" : seen.by;
  if (earlier.sha256 !== seen.sha256 || seen.lines === "all") return { ...seen, by };
  return { ...seen, by, lines: earlier.lines === "all" ? "all" : [...earlier.lines, ...seen.lines] };
}

export interface LineChange {
  /** The first line that changes. */
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

/** What is known of a file after `removed` lines from `at` on gave way to `added` others that are known. */
export function afterChange(lines: SeenFile["lines"], { at, removed, added }: LineChange): SeenFile["lines"] {
  if (lines === "all") return "all";
  const shift = added - removed;
  const parts = lines.flatMap(({ from, to }) => [
    { from, to: Math.min(to, at - 1) },
    { from: Math.max(from, at + removed) + shift, to: to + shift },
  ]);
  return [...parts, { from: at, to: at + added - 1 }].filter(({ from, to }) => from <= to);
}

/** Whether every line from `range.from` to `range.to` was seen. */
export function hasSeen(lines: SeenFile["lines"], range: LineRange): boolean {
  if (lines === "all") return true;
  let next = range.from;
  for (const known of [...lines].sort((a, b) => a.from - b.from)) if (known.from <= next) next = Math.max(next, known.to + 1);
  return next > range.to;
}
