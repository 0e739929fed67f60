import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Refusal, refuse, systemCode } from "./refusal.js";

/**
 * A folder that stays the same one whatever happens to its path meanwhile. Between a decision and its use an agent's
 * own process may put a link where a folder was; what goes through a held folder cannot be led away by that.
 */
export interface HeldFolder {
  /** The real path it was opened by. */
  readonly real: string;
  /** A path to the folder itself, good for system calls while it is held. */
  readonly self: string;
  /** A path to one of its entries, good for system calls while it is held. `name` is one segment. */
  at(name: string): string;
  /** Throws `SYMLINK_ESCAPE` when the folder is no longer at its path: asked right before a change takes effect. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const OPEN_FOLDER: number = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Whether `/proc/self/fd/N/name` names an entry of the open folder N: Linux with its `/proc`. */
let relativePaths: Promise<boolean> | null = null;
const hasRelativePaths = (): Promise<boolean> => {
  relativePaths ??= process.platform === "linux" ? readlink("/proc/self/exe").then(yes, no) : Promise.resolve(false);
  return relativePaths;
};
const yes = (): boolean => true;
const no = (): boolean => false;

/**
 * Opens the folder at a real path, without following any link on the way. With `create` the missing ones are made.
 * The caller closes it. Throws a refusal: `NOT_FOUND`, `NOT_DIRECTORY`, `SYMLINK_ESCAPE`.
 */
export async function holdFolder(real: string, { create = false }: { readonly create?: boolean } = {}): Promise<HeldFolder> {
  try {
    return await openHeld(real, real);
  } catch (error) {
    if (!create || !(error instanceof Refusal) || error.code !== "NOT_FOUND" || dirname(real) === real) throw error;
  }
  const parent = await holdFolder(dirname(real), { create });
  try {
    await mkdir(parent.at(basename(real))).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
    return await openHeld(parent.at(basename(real)), real);
  } finally {
    await parent.close();
  }
}

/** Runs `use` with the folder held, and lets it go. */
export async function inFolder<T>(
  real: string,
  use: (folder: HeldFolder) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  const folder = await holdFolder(real, options);
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** A folder inside a held one. */
export const holdChild = (parent: HeldFolder, name: string): Promise<HeldFolder> => openHeld(parent.at(name), join(parent.real, name));

async function openHeld(path: string, real: string): Promise<HeldFolder> {
  if (!(await hasRelativePaths())) return byPath(real);
  const handle = await open(path, OPEN_FOLDER).catch((error: unknown) => explain(error, path));
  try {
    const folder = byHandle(handle, real);
    await folder.verify();
    return folder;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const byHandle = (handle: FileHandle, real: string): HeldFolder => ({
  real,
  self: `/proc/self/fd/${handle.fd}`,
  at: (name) => `/proc/self/fd/${handle.fd}/${segment(name)}`,
  verify: async () => {
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== real) ledAway();
  },
  close: () => handle.close(),
});

/** Checks before and after instead of holding; what is left is the time of one system call. */
async function byPath(real: string): Promise<HeldFolder> {
  const verify = async (): Promise<void> => {
    const found = await realpath(real).catch((error: unknown) => explain(error, real));
    if (found !== real) ledAway();
    if (!(await lstat(real)).isDirectory()) refuse("NOT_DIRECTORY", "It is not a directory.");
  };
  await verify();
  return { real, self: real, at: (name) => join(real, segment(name)), verify, close: async () => {} };
}

function segment(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || (process.platform === "win32" && name.includes("\\")))
    throw new TypeError(`${JSON.stringify(name)} is not the name of an entry`);
  return name;
}

async function explain(error: unknown, path: string): Promise<never> {
  const code = systemCode(error);
  if (code === "ENOENT") refuse("NOT_FOUND", "The directory does not exist.", error);
  if (code === "ELOOP") ledAway();
  if (code === "ENOTDIR") {
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink() === true) ledAway();
    refuse("NOT_DIRECTORY", "A part of the path is not a directory.", error);
  }
  throw error;
}

export const ledAway = (): never =>
  refuse("SYMLINK_ESCAPE", "A link on the way leads elsewhere than when the path was checked. Nothing was done.");
