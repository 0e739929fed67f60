import { relative } from "node:path";
import type { FileJob } from "../file-tool.js";
import { hashOf, withFile } from "./file-bytes.js";
import { refuse } from "./refusal.js";
import { showName } from "./show-text.js";

export interface Removal {
  readonly path: string;
  readonly real: string;
}

/** Those of the files that the agent has not seen as they are, and so may not delete (docs/spec/tools.md 2.7). */
export async function unreadOf<T extends Removal>(job: FileJob, files: readonly T[], base: string): Promise<readonly T[]> {
  if (!job.rules.readBeforeDelete) return [];
  const unread: T[] = [];
  for (const file of files) {
    job.signal.throwIfAborted();
    const named = { path: file.real, shown: relative(base, file.real) };
    if (job.knowledge.judgeDelete([named]) !== null || (await hasChanged(job, file.real))) unread.push(file);
  }
  return unread;
}

/** Whether the agent knows the file as another one than it is now. What it made in its workspace stays its own. */
async function hasChanged(job: FileJob, real: string): Promise<boolean> {
  const known = job.knowledge.get(real);
  if (known === null || (known.by === "create" && job.access.isInWorkspace(real))) return false;
  return withFile(real, async (handle, state) => {
    if (state.size === known.size && state.mtimeMs === known.mtimeMs) return false;
    return (await hashOf(handle)) !== known.sha256;
  });
}

const NAMED = 3;

export function demandRead(unread: readonly Removal[]): void {
  if (unread.length === 0) return;
  const names = unread.slice(0, NAMED).map(({ path }) => JSON.stringify(showName(path)));
  const more = unread.length > NAMED ? ` (and ${unread.length - NAMED} more)` : "";
  refuse(
    "DELETE_UNREAD",
    `You have not read ${names.join(", ")}${more} as ${unread.length === 1 ? "it is" : "they are"} now. Read before you delete.`,
  );
}
