import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type HeldFolder, inFolder, ledAway } from "./held-folder.js";
import { refuse, systemCode } from "./refusal.js";

/** A regular file as it was at one moment. */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  /** Permission bits, as of `stat`. */
  readonly mode: number;
  /** Names the file has; more than one is a hard link. */
  readonly links: number;
}

// Without O_NONBLOCK the opening of a pipe waits for its writer.
const OPEN_FILE: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const stateOf = (stats: Stats): FileState => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  mode: stats.mode & 0o7777,
  links: stats.nlink,
});

/** Opens an entry of a held folder for reading. Never a link, a folder, a device or a pipe. The caller closes it. */
export async function openEntry(folder: HeldFolder, name: string): Promise<{ readonly handle: FileHandle; readonly state: FileState }> {
  const handle = await open(folder.at(name), OPEN_FILE).catch((error: unknown) => explain(error));
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) refuse("IS_DIRECTORY", "It is a directory, not a file. Use list_directory.");
    if (!stats.isFile()) refuse("NOT_A_FILE", "It is a device, a pipe or a socket, not a file.");
    await folder.verify();
    return { handle, state: stateOf(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Runs `use` with the file at a real path open. */
export const withFile = <T>(real: string, use: (handle: FileHandle, state: FileState) => Promise<T>): Promise<T> =>
  inFolder(dirname(real), async (folder) => {
    const { handle, state } = await openEntry(folder, basename(real));
    try {
      return await use(handle, state);
    } finally {
      await handle.close();
    }
  });

/** All bytes of the file at a real path. `TOO_LARGE` above `maxBytes`, before anything is read. */
export const readBytes = (real: string, maxBytes: number): Promise<{ readonly bytes: Buffer; readonly state: FileState }> =>
  withFile(real, async (handle, state) => {
    if (state.size > maxBytes) refuse("TOO_LARGE", `It has ${state.size} bytes; the limit is ${maxBytes}.`);
    return { bytes: await readUpTo(handle, maxBytes), state };
  });

/** A file may grow while it is read: what is beyond the limit is refused, not cut. */
async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > maxBytes) refuse("TOO_LARGE", `It has more than ${maxBytes} bytes, the limit.`);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

/** The SHA-256 of an open file in hex, read in pieces. */
export async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function explain(error: unknown): never {
  const code = systemCode(error);
  if (code === "ENOENT") refuse("NOT_FOUND", "The file does not exist.", error);
  if (code === "ELOOP" || code === "EMLINK") ledAway();
  if (code === "ENXIO" || code === "ENODEV") refuse("NOT_A_FILE", "It is a device, a pipe or a socket, not a file.", error);
  throw error;
}
