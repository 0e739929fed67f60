import { below } from "../paths/names.js";
import { quote, type Refusal, refuse } from "../refusal.js";
import { isGenerated } from "./generated.js";
import { covers, joinRanges, type LineRange } from "./line-ranges.js";

/** A file at one moment. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  /** Lower-case hexadecimal, of the bytes. */
  readonly sha256: string;
}
/** A file now; its content is only hashed when size and time do not settle it. */
export interface FileNow extends Omit<FileStamp, "sha256"> {
  sha256(): Promise<string>;
}
export interface KnownFile extends FileStamp {
  /** How it was last dealt with. */
  readonly by: "read" | "create" | "write";
  /** Lines that reached the model; `null` for all of it. */
  readonly seen: readonly LineRange[] | null;
}

export interface FileKnowledgeOptions {
  /** Default true. */
  readonly readBeforeOverwrite?: boolean;
  /** Default true. */
  readonly readBeforeDelete?: boolean;
  /** True for files the agent made without a tool, such as those its commands left in the workspace. Default: none. */
  readonly isOwn?: (path: string) => boolean;
}

/** A file that a call is about: its real path, and its name for messages, relative to its root. */
export interface NamedFile {
  readonly path: string;
  readonly shown: string;
}

/** What one agent knows of files, by real path. Lives as long as the agent's conversation: clear it when a fresh one starts. */
export interface FileKnowledge {
  get(path: string): KnownFile | null;
  /** Content reached the model: all of it, or some lines of `totalLines`. Finding a line by search does not count. */
  sawFile(path: string, stamp: FileStamp, lines?: LineRange & { readonly totalLines: number }): void;
  /** The agent's own change: from now on it knows the file as it is, or those lines of it. */
  wroteFile(path: string, stamp: FileStamp, seen?: readonly LineRange[] | null): void;
  movedFile(from: string, to: string): void;
  /** The path and everything below it. */
  forget(path: string): void;
  clear(): void;
  /** `null`, or why an existing file may not be overwritten: it was not read whole, or is another one by now. */
  judgeOverwrite(file: NamedFile, now: FileNow): Promise<Refusal | null>;
  /** Like `judgeOverwrite`; having read the lines that change is enough. */
  judgeEdit(file: NamedFile, now: FileNow, lines: LineRange): Promise<Refusal | null>;
  /** `null`, or which of the files were neither read nor made by the agent. Generated ones need not be. */
  judgeDelete(files: readonly NamedFile[]): Refusal | null;
}

/** Remembers which files an agent has read and written, so that it changes and deletes none blindly (docs/spec/tools.md 2.7). */
export function createFileKnowledge(options: FileKnowledgeOptions = {}): FileKnowledge {
  const known = new Map<string, KnownFile>();
  const get = (path: string): KnownFile | null => known.get(path) ?? null;

  /** What is wrong with changing it, given what must have been seen. */
  async function judge(file: NamedFile, now: FileNow, lines: LineRange | "all"): Promise<Refusal | null> {
    if (options.readBeforeOverwrite === false) return null;
    const before = get(file.path);
    if (before === null) return readRequired(file, "it exists, and you have not read it");
    if (await isStale(before, now)) return stale(file);
    if (before.seen === null || (lines !== "all" && covers(before.seen, lines))) return null;
    return readRequired(file, lines === "all" ? "you have read only a part of it" : `you have not read lines ${lines.from} to ${lines.to}`);
  }

  return {
    get,
    sawFile(path, stamp, lines) {
      const before = get(path);
      const same = before !== null && before.sha256 === stamp.sha256;
      const seen =
        lines === undefined || (same && before.seen === null)
          ? null
          : seenOf([...((same ? before.seen : null) ?? []), lines], lines.totalLines);
      // Having made a file outlasts reading it again.
      known.set(path, { ...stampOf(stamp), seen, by: same && before.by !== "read" ? before.by : "read" });
    },
    wroteFile(path, stamp, seen = null) {
      const isNew = get(path) === null || get(path)!.by === "create";
      known.set(path, { ...stampOf(stamp), seen: seen === null ? null : joinRanges(seen), by: isNew ? "create" : "write" });
    },
    movedFile(from, to) {
      const moved = [...known].filter(([path]) => below(from, path) !== null);
      for (const [path] of moved) known.delete(path);
      for (const [path, file] of moved) known.set(to + path.slice(from.length), file);
    },
    forget(path) {
      for (const one of [...known.keys()]) if (below(path, one) !== null) known.delete(one);
    },
    clear: () => known.clear(),
    judgeOverwrite: (file, now) => judge(file, now, "all"),
    judgeEdit: judge,
    judgeDelete(files) {
      if (options.readBeforeDelete === false) return null;
      const isFree = (file: NamedFile): boolean => known.has(file.path) || isGenerated(file.shown) || options.isOwn?.(file.path) === true;
      const unread = files.filter((file) => !isFree(file));
      return unread.length === 0 ? null : deleteUnread(unread);
    },
  };
}

const stampOf = ({ size, mtimeMs, sha256 }: FileStamp): FileStamp => ({ size, mtimeMs, sha256 });

function seenOf(ranges: readonly LineRange[], totalLines: number): readonly LineRange[] | null {
  const joined = joinRanges(ranges.map(({ from, to }) => ({ from, to })));
  return totalLines === 0 || covers(joined, { from: 1, to: totalLines }) ? null : joined;
}

/** Size and time settle most cases; a file that was only touched, or rewritten as it was, is not stale. */
async function isStale(before: KnownFile, now: FileNow): Promise<boolean> {
  if (before.size === now.size && before.mtimeMs === now.mtimeMs) return false;
  return before.size !== now.size || before.sha256 !== (await now.sha256());
}

const readRequired = ({ shown }: NamedFile, why: string): Refusal =>
  refuse("READ_REQUIRED", null, `You cannot change ${quote(shown)}: ${why}. Read it first, then change it.`);

const stale = ({ shown }: NamedFile): Refusal =>
  refuse("STALE_READ", null, `You cannot change ${quote(shown)}: it has changed since your last read. Read it again, then change it.`);

const MAX_NAMES = 3;

function deleteUnread(files: readonly NamedFile[]): Refusal {
  const names = files.slice(0, MAX_NAMES).map(({ shown }) => quote(shown));
  const more = files.length > MAX_NAMES ? ` (and ${files.length - MAX_NAMES} more)` : "";
  return refuse("DELETE_UNREAD", null, `You cannot delete what you have not read: ${names.join(", ")}${more}. Read it first, or leave it.`);
}
