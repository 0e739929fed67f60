import { lstat, readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Access } from "./access.js";
import { showName } from "./show-text.js";

const SHOWN = 3;

/** What is near a path that does not exist: its nearest directory that does, and names like the one asked for. */
export async function nearestPaths(access: Access, real: string): Promise<string> {
  let folder = dirname(real);
  while (dirname(folder) !== folder && !(await isFolder(folder))) folder = dirname(folder);
  if (!(await access.mayUse("list", folder))) return "";
  const missing = basename(folder === dirname(real) ? real : real.slice(folder.length + 1).split(/[\\/]/)[0]!);
  const names = (await readdir(folder).catch(() => [])).filter((name) => isAlike(name, missing)).slice(0, SHOWN);
  const where = folder === dirname(real) ? "" : ` The directory ${JSON.stringify(showName(missing))} does not exist.`;
  return `${where}${names.length === 0 ? "" : ` Did you mean ${names.map((name) => JSON.stringify(showName(name))).join(", ")}?`}`;
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Equal but for case and ending, one inside the other, or most letters in common order. */
function isAlike(name: string, wanted: string): boolean {
  const [a, b] = [stem(name), stem(wanted)];
  if (a === b) return true;
  if (Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return true;
  return common(name.toLowerCase(), wanted.toLowerCase()) * 4 >= Math.max(name.length, wanted.length) * 3;
}

const stem = (name: string): string => name.toLowerCase().replace(/\.[^.]+$/, "");

/** Length of the longest common subsequence. */
function common(a: string, b: string): number {
  let row: readonly number[] = new Array<number>(b.length + 1).fill(0);
  for (const char of a.slice(0, 200)) {
    const next = [0];
    for (let column = 1; column <= b.length; column++)
      next.push(char === b[column - 1] ? row[column - 1]! + 1 : Math.max(row[column]!, next[column - 1]!));
    row = next;
  }
  return row.at(-1)!;
}
