import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** What commands may do with one path inside a granted folder: as the folder, only read, or neither. */
export type Standing = "open" | "protected" | "hidden";

export interface Survey {
  readonly protected: readonly string[];
  readonly hidden: readonly string[];
}

/** Folders that need not be looked into are protected or hidden as a whole; the rest of a tree may have so many entries. */
const MOST_ENTRIES = 100_000;

/**
 * What has to be protected and hidden inside a granted folder, by the judgement of whoever knows the rules: `judge` is asked
 * for each entry with its absolute path, links left out, and not for what lies in something protected or hidden. A sandbox
 * takes paths, not patterns, so what is made later by others is not in it.
 *
 * Rejects when the folder is too large to be looked through: commands must not run in it then.
 */
export async function surveyGrant(
  root: string,
  judge: (path: string, kind: "file" | "folder") => Standing | Promise<Standing>,
  options: { readonly mostEntries?: number } = {},
): Promise<Survey> {
  const mostEntries = options.mostEntries ?? MOST_ENTRIES;
  const found: { readonly protected: string[]; readonly hidden: string[] } = { protected: [], hidden: [] };
  let entries = 0;
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for await (const entry of await opendir(folder)) {
      entries += 1;
      if (entries > mostEntries) {
        throw new Error(
          `${root} has more than ${mostEntries} files and folders, too many to keep its secrets from commands: grant a smaller folder.`,
        );
      }
      // A link is nothing by itself: where it leads decides, and there the walls stand.
      if (entry.isSymbolicLink()) continue;
      const path = join(folder, entry.name);
      const standing = await judge(path, entry.isDirectory() ? "folder" : "file");
      if (standing !== "open") found[standing].push(path);
      else if (entry.isDirectory()) pending.push(path);
    }
  }
  return { protected: found.protected.sort(), hidden: found.hidden.sort() };
}
