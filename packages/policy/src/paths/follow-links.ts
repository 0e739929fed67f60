import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, parse, sep } from "node:path";
import { sameAs } from "./names.js";

export type ObjectKind = "file" | "folder" | "link" | "special";

/** What lies at the end of a path. */
export interface FoundObject {
  readonly kind: ObjectKind;
  /** How many names the file has; more than one means that it may be known elsewhere too. */
  readonly links: number;
  readonly device: bigint;
  readonly inode: bigint;
}

export interface Followed {
  readonly real: string;
  /** `null` when nothing is there yet. */
  readonly object: FoundObject | null;
}

const MAX_LINKS = 40;

/**
 * Where an absolute path leads: follows every link on the way, also one that leads to nothing yet, so that it is known
 * beforehand what would be created there. `last: "keep"` leaves the last name alone, for what is done to the link itself.
 * `null` when links go round in circles or up through a folder that does not exist.
 * Throws what the file system throws, except for names that do not exist: they are taken as they are.
 */
export async function followLinks(path: string, last: "follow" | "keep"): Promise<Followed | null> {
  if (last === "keep" && parse(path).root !== path) return keepLast(path);
  let at = parse(path).root;
  let rest = split(path.slice(at.length));
  let object = await lookAt(at);
  for (let links = 0; rest.length > 0; ) {
    const [name, ...others] = rest as readonly [string, ...string[]];
    const next = name === ".." ? dirname(at) : join(at, name);
    object = await lookAt(next);
    if (object === null) return others.includes("..") ? null : { real: join(await spelling(at), name, ...others), object };
    if (object.kind !== "link") {
      at = next;
      rest = others;
      continue;
    }
    if (++links > MAX_LINKS) return null;
    const target = await readlink(next);
    const { root } = parse(target);
    if (root !== "") at = root;
    rest = [...split(target.slice(root.length)), ...others];
    object = await lookAt(at);
  }
  return { real: await spelling(at), object };
}

async function keepLast(path: string): Promise<Followed | null> {
  const parent = await followLinks(dirname(path), "follow");
  if (parent === null) return null;
  const real = join(parent.real, basename(path));
  return { real, object: await lookAt(real) };
}

/** `..` stays: it is taken after what comes before it has been followed, as the kernel does. */
const split = (path: string): readonly string[] => path.split(sep === "\\" ? /[\\/]/ : "/").filter((name) => name !== "" && name !== ".");

/** What is there without following a link, or `null`. */
export async function lookAt(path: string): Promise<FoundObject | null> {
  try {
    const stats = await lstat(path, { bigint: true });
    const kind = stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "special";
    return { kind, links: Number(stats.nlink), device: stats.dev, inode: stats.ino };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The path as its volume spells it. Another path than was walked means that a link was planted meanwhile. */
async function spelling(path: string): Promise<string> {
  const spelled = await realpath(path);
  if (sameAs(spelled, true) !== sameAs(path, true)) throw new Error("the path changed while it was looked at");
  return spelled;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
