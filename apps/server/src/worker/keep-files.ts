import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Artefact } from "@massgen/client";
import { listArtefacts } from "../runs/artefacts.js";

const MOST_OF_ONE = 5_000_000;
const MOST_OF_ALL = 25_000_000;

/**
 * Hands the files of a run on, what people look for first, as long as there is room; what is left out is said in one
 * sentence. The folder is gone afterwards, unless something could not be handed on.
 */
export async function keepFiles(folder: string, put: (path: string, content: Buffer) => Promise<void>): Promise<string | null> {
  const { artefacts, truncated } = await listArtefacts(folder);
  const kept = chooseFiles(artefacts);
  // Names may hold what PostgreSQL takes for no text; nobody could ask for such a file either.
  for (const { path } of kept) if (!path.includes("\0")) await put(path, await readFile(join(folder, ...path.split("/"))));
  await rm(folder, { recursive: true, force: true });
  const left = artefacts.length - kept.length;
  return left === 0 && !truncated ? null : `${truncated ? "some" : left} of its files are too large, or too many, to be kept`;
}

/** The result first, then what is small. */
export function chooseFiles(files: readonly Artefact[]): readonly Artefact[] {
  const rank = ({ path }: Artefact): number => (/(^|\/)final\//.test(path) ? 0 : 1);
  const chosen: Artefact[] = [];
  let room = MOST_OF_ALL;
  for (const file of files.toSorted((one, other) => rank(one) - rank(other) || one.bytes - other.bytes)) {
    if (file.bytes > MOST_OF_ONE || file.bytes > room) continue;
    room -= file.bytes;
    chosen.push(file);
  }
  return chosen;
}
