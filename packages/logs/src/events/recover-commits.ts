import { type FileHandle, open, readdir, readFile, rename, rmdir, unlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { bootId, hostId, isSameBoot } from "./boot-id.js";
import { JOURNAL_FOLDER } from "./commit-journal.js";

/**
 * Puts back what a power cut took from the logs below `base`: the pieces that journals of an earlier start of the machine
 * hold and the files do not. Journals of dead processes of this start are removed, for nothing is missing. Costs one look
 * into a folder that is normally not there; whatever cannot be done is left for the next time.
 */
export async function recoverCommits(base: string): Promise<void> {
  const folder = join(base, JOURNAL_FOLDER);
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const boot = bootId();
  for (const name of names) {
    const owner = ownerOf(name);
    if (owner === null) continue;
    const path = join(folder, name);
    const isOurs = owner.host === hostId();
    if (!isSameBoot(owner.boot, boot)) await (isOurs ? recover(base, path) : putAllBack(base, path)).catch(() => {});
    else if (isOurs && !isAlive(owner.pid)) await unlink(path).catch(() => {});
  }
  await rmdir(folder).catch(() => {});
}

interface Owner {
  readonly boot: string;
  readonly pid: number;
  readonly host: string;
}

function ownerOf(name: string): Owner | null {
  const [, boot, pid, host] = /^([^_]+)_(\d+)_([A-Za-z0-9.-]*)_[0-9a-f]+\.jsonl(?:\.claimed)?$/.exec(name) ?? [];
  return boot === undefined || pid === undefined || host === undefined ? null : { boot, pid: Number(pid), host };
}

/**
 * Claimed by renaming, so that of several processes one does it. A journal of another host stays, for its process may live;
 * putting back what is there changes nothing.
 */
async function recover(base: string, path: string): Promise<void> {
  const claimed = path.endsWith(".claimed") ? path : `${path}.claimed`;
  await rename(path, claimed);
  await putAllBack(base, claimed);
  await unlink(claimed);
}

async function putAllBack(base: string, journal: string): Promise<void> {
  for (const line of (await readFile(journal, "utf8")).split("\n")) {
    const piece = parsePiece(line);
    // A torn last line was never reported as durable, and neither was anything behind it.
    if (piece === null) break;
    const file = resolve(base, piece.file);
    if (file.startsWith(resolve(base) + sep)) await putBack(file, piece.offset, Buffer.from(piece.data));
  }
}

interface JournalLine {
  readonly file: string;
  readonly offset: number;
  readonly data: string;
}

function parsePiece(line: string): JournalLine | null {
  try {
    const value: unknown = JSON.parse(line);
    return isPiece(value) ? value : null;
  } catch {
    return null;
  }
}

const isPiece = (value: unknown): value is JournalLine =>
  typeof value === "object" &&
  value !== null &&
  "file" in value &&
  "offset" in value &&
  "data" in value &&
  typeof value.file === "string" &&
  typeof value.offset === "number" &&
  typeof value.data === "string";

async function putBack(file: string, offset: number, bytes: Buffer): Promise<void> {
  const handle = await openExisting(file);
  if (handle === null) return;
  try {
    const there = Buffer.alloc(bytes.length);
    const { bytesRead } = await handle.read(there, 0, bytes.length, offset);
    if (bytesRead === bytes.length && there.equals(bytes)) return;
    await handle.write(bytes, 0, bytes.length, offset);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** A log that was deleted stays deleted. */
const openExisting = (file: string): Promise<FileHandle | null> => open(file, "r+").catch(() => null);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
