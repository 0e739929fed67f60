import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { FolderEntry } from "@massgen/tui";

/** What is in a folder, for completion: relative to `cwd`, `~` is the home; empty for what is none. */
export async function listFolder(folder: string, cwd: string): Promise<readonly FolderEntry[]> {
  const path = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(cwd, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []); // nothing to offer
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}
