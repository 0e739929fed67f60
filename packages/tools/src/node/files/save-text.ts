import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import type { FileJob } from "../file-tool.js";
import type { Place } from "./access.js";
import { type FileState, sha256 } from "./file-bytes.js";
import { refuse } from "./refusal.js";
import type { SeenLines } from "./seen-lines.js";
import { encodeText, type TextForm } from "./text-content.js";
import { writeAtomic } from "./write-atomic.js";

/** A file that is about to be replaced, as it was read for that. */
export interface FileNow {
  readonly state: FileState;
  readonly sha256: string;
}

/**
 * Refuses to change a file the agent has not seen as it is now, and gives the lines it has seen
 * (docs/spec/tools.md 2.7).
 */
export function demandSeen(job: FileJob, place: Place, now: FileNow): SeenLines {
  demandOneName(job, place, now.state);
  if (!job.rules.readBeforeOverwrite) return null;
  const known = job.knowledge.get(place.real);
  if (known === null) return refuse("READ_REQUIRED", "The file exists and you have not read it. Read it first.");
  if (known.sha256 !== now.sha256) return refuse("STALE_READ", "The file has changed since your last read. Read it again.");
  return known.seen;
}

/** A second name of a file may lie anywhere: outside the workspace it is not written through. */
function demandOneName(job: FileJob, place: Place, state: FileState): void {
  if (state.links > 1 && !job.access.isInWorkspace(place.real))
    refuse("HARD_LINK", "The file has a second name somewhere else (a hard link), so it is not written to. Write a copy under a new name.");
}

export interface SaveOptions {
  readonly form: TextForm;
  /** What is there now and is to be replaced; `null` when the file must not exist yet. */
  readonly replaces: FileNow | null;
  /** Lines of the new content the agent knows; all when not given. */
  readonly knownLines?: SeenLines;
}

/** Writes the text in its form and remembers that the agent knows it. Gives the bytes written. */
export async function saveText(
  job: FileJob,
  place: Place,
  text: string,
  { form, replaces, knownLines = null }: SaveOptions,
): Promise<number> {
  const bytes = encodeText(text, form);
  const limit = job.limits.writtenFileBytes;
  if (bytes.length > limit)
    refuse("TOO_LARGE", `The content has ${bytes.length} bytes; the limit is ${limit}. Write it in parts to several files.`);
  job.signal.throwIfAborted();
  const state = await writeAtomic(place.real, bytes, {
    mustBeNew: replaces === null,
    ...(replaces === null ? {} : { mode: replaces.state.mode }),
    beforeReplacing: async (folder) => {
      if (replaces === null) return;
      const found = await lstat(folder.at(basename(place.real))).catch(() => null);
      if (found === null || found.size !== replaces.state.size || found.mtimeMs !== replaces.state.mtimeMs)
        refuse("STALE_READ", "The file changed while it was being written. Nothing was written. Read it again.");
    },
  });
  job.knowledge.wroteFile(place.real, { sha256: sha256(bytes), size: state.size, mtimeMs: state.mtimeMs }, knownLines);
  return bytes.length;
}
