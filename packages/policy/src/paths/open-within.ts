import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MassgenError, type PathOp } from "@massgen/contracts";
import type { PathDecision } from "../create-policy.js";
import { quote } from "../refusal.js";
import type { Place } from "./decide-path.js";
import { lookAt } from "./follow-links.js";
import { namesOf } from "./names.js";
import { escapes, hardLink, specialFile } from "./refusals.js";

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants;
/** Missing on Windows, where links are rare and the checks after opening have to do. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;
const O_DIRECTORY = constants.O_DIRECTORY ?? 0;

/** What a decision must have been about, so that leave to look at a secret is not leave to read it. */
const FITS: Readonly<Record<"read" | "write" | "create", ReadonlySet<PathOp>>> = {
  read: new Set(["read", "copy_from", "write"]),
  write: new Set(["write", "copy_to"]),
  create: new Set(["create", "write", "copy_to"]),
};

/** A folder that is held open, so that nobody can put another one in its place. */
export interface HeldFolder {
  /** The address of a name in the folder, for any function of `node:fs`. Refuses anything but one plain name. */
  at(name: string): string;
  /** The address of the folder itself, for `readdir`. */
  readonly path: string;
  /** Throws `SYMLINK_ESCAPE` when the folder is no longer where the decision found it. Call it right before a rename. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file that was decided on, for reading or for changing in place; with `create`, one that must not exist yet. What
 * was put in the way since the decision is not followed: on Linux every folder is entered by handle; elsewhere the path is
 * checked before and after, and a link planted within that moment could make an empty file, never read or change one.
 *
 * Never truncates. The caller closes the handle. Throws `MassgenError` `PATH_DENIED` for what was not allowed or is no
 * plain file, `SYMLINK_ESCAPE` for what leads elsewhere by now, and what the file system throws.
 */
export async function openWithin(decision: PathDecision, mode: "read" | "write" | "create"): Promise<FileHandle> {
  const place = allowedPlace(decision);
  if (!FITS[mode].has(decision.op))
    throw new MassgenError("PATH_DENIED", `A path decided on for "${decision.op}" is not opened for "${mode}".`);
  const folder = await openParent(decision);
  try {
    const flags = { read: O_RDONLY, write: O_RDWR, create: O_RDWR | O_CREAT | O_EXCL }[mode] | O_NOFOLLOW | O_NONBLOCK;
    const handle = await open(folder.at(basename(place.real)), flags, 0o644).catch((error: unknown) => {
      throw isLink(error) ? denied(decision, "SYMLINK_ESCAPE") : error;
    });
    return await checked(handle, decision, mode, folder).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
  } finally {
    await folder.close();
  }
}

/** Opens the folder that holds, or will hold, what was decided on; with `make`, after creating the folders that are missing. */
export async function openParent(decision: PathDecision, options: { readonly make?: boolean } = {}): Promise<HeldFolder> {
  return hold(decision, dirname(allowedPlace(decision).real), options.make ?? false);
}

/** Opens a folder that was decided on itself, to list it. */
export async function openFolder(decision: PathDecision): Promise<HeldFolder> {
  return hold(decision, allowedPlace(decision).real, false);
}

const hold = (decision: PathDecision, path: string, make: boolean): Promise<HeldFolder> =>
  process.platform === "linux" ? heldByHandle(decision, path, make) : heldByPath(decision, path, make);

/** Enters folder after folder by handle (`/proc/self/fd/N/name` is `openat`), so that no link on the way is ever followed. */
async function heldByHandle(decision: PathDecision, path: string, make: boolean): Promise<HeldFolder> {
  let at = await open("/", O_RDONLY | O_DIRECTORY);
  for (const name of namesOf(path)) {
    const here = at;
    const next = `/proc/self/fd/${here.fd}/${name}`;
    try {
      at = await enter(next, make);
    } catch (error) {
      // What is no folder may be a link, which Linux reports in the same way.
      throw isLink(error) || (await lookAt(next))?.kind === "link" ? denied(decision, "SYMLINK_ESCAPE") : error;
    } finally {
      await here.close();
    }
  }
  const base = `/proc/self/fd/${at.fd}`;
  return {
    // The end keeps functions from looking at the link instead of the folder.
    path: `${base}/.`,
    at: (name) => join(base, plainName(name)),
    async verify() {
      if ((await readlink(base)) !== path) throw denied(decision, "SYMLINK_ESCAPE");
    },
    close: () => at.close(),
  };
}

async function enter(path: string, make: boolean): Promise<FileHandle> {
  if (make) await mkdir(path).catch(ignoreExisting);
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

async function heldByPath(decision: PathDecision, path: string, make: boolean): Promise<HeldFolder> {
  if (make) await mkdir(path, { recursive: true });
  const verify = async (): Promise<void> => {
    if ((await realpath(path)) !== path) throw denied(decision, "SYMLINK_ESCAPE");
  };
  await verify();
  return { path, at: (name) => join(path, plainName(name)), verify, close: async () => undefined };
}

async function checked(
  handle: FileHandle,
  decision: PathDecision,
  mode: "read" | "write" | "create",
  folder: HeldFolder,
): Promise<FileHandle> {
  const [stats, named] = await Promise.all([
    handle.stat({ bigint: true }),
    lstat(folder.at(basename(decision.place!.real)), { bigint: true }),
  ]);
  if (stats.dev !== named.dev || stats.ino !== named.ino) throw denied(decision, "SYMLINK_ESCAPE");
  if (!stats.isFile()) throw denied(decision, "SPECIAL_FILE");
  if (mode === "write" && stats.nlink > 1n) throw denied(decision, "HARD_LINK");
  await folder.verify();
  return handle;
}

function allowedPlace({ verdict, place }: PathDecision): Place {
  if (verdict.type === "allow" && place !== null) return place;
  throw new MassgenError("PATH_DENIED", verdict.type === "allow" ? "There is nothing to open." : verdict.reason);
}

function denied(decision: PathDecision, code: "SYMLINK_ESCAPE" | "SPECIAL_FILE" | "HARD_LINK"): MassgenError {
  const say = { SYMLINK_ESCAPE: escapes, SPECIAL_FILE: specialFile, HARD_LINK: hardLink }[code];
  return new MassgenError(code === "SYMLINK_ESCAPE" ? code : "PATH_DENIED", say(decision).reason);
}

function plainName(name: string): string {
  if (name === "" || name === "." || name === ".." || /[/\\\0]/.test(name))
    throw new TypeError(`${quote(name)} is not the name of one file`);
  return name;
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}

const isLink = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ELOOP";
