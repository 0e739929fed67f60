import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that is gone when the test is over. */
export async function tempFolder(): Promise<string> {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), "massgen-workspace-")));
  onTestFinished(() => removeAll(folder));
  return folder;
}

function removeAll(path: string): void {
  if (lstatSync(path).isDirectory()) {
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) removeAll(join(path, name));
  }
  rmSync(path, { recursive: true });
}

/** Writes files, `{ "a/b.txt": "text" }`, with the folders they need. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** All files of a tree with their texts; a folder without any is `name/`, a link `-> target`. */
export function readTree(root: string, at = ""): Record<string, string> {
  if (!existsSync(root)) return {};
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(join(root, at), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = at === "" ? entry.name : `${at}/${entry.name}`;
    if (entry.isSymbolicLink()) tree[path] = "->";
    else if (!entry.isDirectory()) tree[path] = readFileSync(join(root, path), "utf8");
    else {
      const inside = readTree(root, path);
      if (Object.keys(inside).length === 0) tree[`${path}/`] = "";
      Object.assign(tree, inside);
    }
  }
  return tree;
}
