import { relative, sep } from "node:path";
import type { FileJob } from "../file-tool.js";
import { hashOf, withFile } from "./file-bytes.js";
import { matchGlob } from "./match-glob.js";
import { refuse } from "./refusal.js";
import { showName } from "./show-text.js";

const generated: readonly ((name: string) => boolean)[] = [
  ...["__pycache__", "*.pyc", "*.pyo", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".coverage", "*.egg-info", ".tox", ".nox"],
  ...["node_modules", ".next", ".nuxt", "dist", "build", ".DS_Store", "Thumbs.db", "*.log", "*.swp", "*.swo", "*~"],
].map((pattern) => matchGlob(pattern));

/** Made by tools and made again by them: deleted without having been read. */
const isGenerated = (path: string): boolean => path.split(sep).some((name) => generated.some((matches) => matches(name)));

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
    if (!isGenerated(relative(base, file.real)) && !(await isKnown(job, file.real))) unread.push(file);
  }
  return unread;
}

async function isKnown(job: FileJob, real: string): Promise<boolean> {
  const seen = job.seen.get(real);
  if (seen === undefined) return false;
  if (seen.by === "create" && job.access.isInWorkspace(real)) return true;
  return withFile(
    real,
    async (handle, state) => state.size === seen.size && (state.mtimeMs === seen.mtimeMs || (await hashOf(handle)) === seen.sha256),
  );
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
