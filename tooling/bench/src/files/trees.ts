import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILES_A_FOLDER = 50;

/** Gives `work` an empty folder on the disk for temporary files, and removes it. */
export async function inTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "massgen-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `count` files that all differ, fifty in a folder. */
export function writeFiles(root: string, count: number, bytes: number): void {
  for (let place = 0; place < count; place++) {
    if (place % FILES_A_FOLDER === 0) mkdirSync(join(root, folderOf(place)), { recursive: true });
    writeFileSync(join(root, pathOf(place)), textOf(place, 0, bytes));
  }
}

/** Gives every `step`-th file another content of the same size. */
export function changeFiles(root: string, count: number, step: number, bytes: number, round: number): void {
  for (let place = 0; place < count; place += step) writeFileSync(join(root, pathOf(place)), textOf(place, round, bytes));
}

const folderOf = (place: number): string => `d${Math.floor(place / FILES_A_FOLDER)}`;
const pathOf = (place: number): string => join(folderOf(place), `f${place}.txt`);
const textOf = (place: number, round: number, bytes: number): string =>
  `file ${place}, round ${round}\n`.padEnd(bytes, "lorem ipsum dolor sit amet\n");

/** The plainest loop that copies a tree: a read and a write for each file. */
export function copyByHand(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyByHand(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}
