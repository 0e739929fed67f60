import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type FileState, stateOf } from "./file-bytes.js";
import { type HeldFolder, inFolder, ledAway } from "./held-folder.js";
import { refuse } from "./refusal.js";

export interface WriteOptions {
  /** Permission bits of the new file; those of `0o666` less the process's mask when not given. */
  readonly mode?: number;
  /** Refuse when something has the name already. */
  readonly mustBeNew?: boolean;
  /** Called with the held folder right before the file takes its place: the last look at what would be replaced. */
  readonly beforeReplacing?: (folder: HeldFolder) => Promise<void>;
  /** Puts the content into the open temporary file; tests stand in a disk that is full. */
  readonly fill?: (handle: FileHandle, bytes: Uint8Array) => Promise<void>;
}

/**
 * Makes the file at a real path have exactly `bytes`, or leaves everything as it was: written beside it under a name
 * of its own, then renamed over it. Missing folders are made. A hard link is broken, its other names keep their content.
 */
export const writeAtomic = (real: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileState> =>
  inFolder(dirname(real), (folder) => writeEntry(folder, basename(real), bytes, options), { create: true });

async function writeEntry(folder: HeldFolder, name: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileState> {
  const temporary = temporaryName();
  const fill = options.fill ?? ((handle: FileHandle, content: Uint8Array) => handle.writeFile(content));
  const handle = await open(
    folder.at(temporary),
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    0o666,
  );
  try {
    let state: FileState;
    try {
      await fill(handle, bytes);
      if (options.mode !== undefined) await handle.chmod(options.mode & 0o777);
      state = stateOf(await handle.stat());
    } finally {
      await handle.close();
    }
    await options.beforeReplacing?.(folder);
    await takePlace(folder, temporary, name, options.mustBeNew ?? false);
    return state;
  } catch (error) {
    await rm(folder.at(temporary), { force: true });
    throw error;
  }
}

/** Renames an entry of the folder to `name`. A link or a folder that has the name is never replaced. */
async function takePlace(folder: HeldFolder, from: string, name: string, mustBeNew: boolean): Promise<void> {
  await folder.verify();
  const found = await lstat(folder.at(name)).catch(() => null);
  if (found?.isSymbolicLink() === true) ledAway();
  if (found?.isDirectory() === true) refuse("IS_DIRECTORY", "It is a directory, not a file.");
  if (found !== null && mustBeNew) refuse("EXISTS", "It exists already.");
  await rename(folder.at(from), folder.at(name));
  await folder.verify();
}

export const temporaryName = (): string => `.massgen-${randomBytes(8).toString("hex")}.tmp`;

/** The mode of a copy: its owner may write it, and its special bits are gone. */
export const plainMode = (mode: number): number => (mode & 0o777) | 0o600;
