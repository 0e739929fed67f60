import { constants } from "node:fs";
import { cp, lstat, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/** Folders that no version holds and that much cannot run without. */
const DEPENDENCIES = ["node_modules", ".venv", "venv"];
/** Of a workspace with packages: `packages/web/node_modules`. */
const MAX_DEPTH = 3;

/**
 * Puts the dependencies that were installed in a workspace beside the files of a version of it, wherever the version has the
 * folder they stand in. `link` when nothing can be written through them, else `copy`. Returns the folders that were linked.
 */
export async function lendDependencies(from: string, to: string, how: "link" | "copy"): Promise<readonly string[]> {
  const linked: string[] = [];
  async function lend(folder: string, depth: number): Promise<void> {
    for (const name of DEPENDENCIES) {
      const [source, target] = [join(from, folder, name), join(to, folder, name)];
      if (!(await isFolder(source)) || (await isThere(target))) continue;
      if (how === "copy") await cp(source, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
      else {
        await symlink(source, target);
        linked.push(source);
      }
    }
    if (depth === MAX_DEPTH) return;
    const entries = await readdir(join(to, folder), { withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory() && !DEPENDENCIES.includes(entry.name));
    for (const { name } of below) await lend(join(folder, name), depth + 1);
  }
  await lend("", 0);
  return linked;
}

/** A link is somebody else's folder, and not lent on. */
const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
