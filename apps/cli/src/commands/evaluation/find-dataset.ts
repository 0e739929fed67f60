import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { examplesDir } from "../../examples-dir.js";
import type { Io } from "../../io.js";

export interface FoundDataset {
  /** As messages and the results file call it. */
  readonly name: string;
  readonly text: string;
}

const EXAMPLE = "@examples/";
/** A data set is read at once. */
const MAX_BYTES = 100_000_000;

/**
 * Reads a data set: a file, or `@examples/NAME` for one that ships with the program.
 *
 * @throws MassgenError `CONFIG_NOT_FOUND` (exit 1)
 */
export async function findDataset(wanted: string, io: Io): Promise<FoundDataset> {
  const isExample = wanted.startsWith(EXAMPLE);
  const paths = isExample ? examplePathsOf(wanted.slice(EXAMPLE.length), io) : [resolve(io.cwd, expanded(wanted, io))];
  for (const path of paths) {
    const text = await readText(path, wanted);
    if (text !== null) return { name: basename(path), text };
  }
  const shipped = await shippedNames(io);
  throw new MassgenError("CONFIG_NOT_FOUND", `There is no data set ${wanted}.`, {
    exitCode: 1,
    hint: shipped.length === 0 ? "Name a file of JSON lines." : `Name a file of JSON lines, or one that ships: ${shipped.join(", ")}.`,
  });
}

const folderOf = (io: Io): string => join(examplesDir(io.env), "datasets");

function examplePathsOf(name: string, io: Io): readonly string[] {
  // A name, not a path: it leads nowhere else.
  const plain = basename(name);
  return [plain, `${plain}.jsonl`].map((file) => join(folderOf(io), file));
}

const expanded = (path: string, io: Io): string => (path.startsWith("~/") ? join(io.env["HOME"] || homedir(), path.slice(2)) : path);

/** `null` when there is no such file. */
async function readText(path: string, wanted: string): Promise<string | null> {
  const unreadable = (why: string): MassgenError =>
    new MassgenError("CONFIG_NOT_FOUND", `The data set ${wanted} cannot be read: ${why}.`, { exitCode: 1 });
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw unreadable("it is a folder");
    if (found.size > MAX_BYTES) throw unreadable(`it has more than ${MAX_BYTES / 1_000_000} MB`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (MassgenError.is(error)) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

async function shippedNames(io: Io): Promise<readonly string[]> {
  try {
    return (await readdir(folderOf(io))).filter((name) => name.endsWith(".jsonl")).map((name) => EXAMPLE + name.replace(/\.jsonl$/, ""));
  } catch {
    // Without the folder nothing ships; the message says the rest.
    return [];
  }
}
