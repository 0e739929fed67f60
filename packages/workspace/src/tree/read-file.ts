import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pacer } from "../pacer.js";

/** Files up to this size are read whole, and have a hash. */
export const HASHED_BYTES: number = 16 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;
const ATTEMPTS = 3;

/** The content of a file that somebody may be writing to. */
export interface Reading {
  readonly stat: BigIntStats;
  readonly content: Buffer;
  readonly sha256: string;
  readonly torn: boolean;
}

/**
 * Opens the file that stands at a place below `root`, and no other: a link at the end or a folder that has become a link
 * since the walk gives `null`, whatever it leads to.
 */
export function openInside(root: string, path: string): { readonly fd: number; readonly stat: BigIntStats } | null {
  const place = join(root, path);
  let fd: number;
  try {
    fd = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (stat.isFile() && standsAt(fd, stat, place)) return { fd, stat };
  } catch {
    // Gone in the same moment.
  }
  closeSync(fd);
  return null;
}

/** The system of Linux tells where an open file lies; elsewhere the folders are followed once more. */
function standsAt(fd: number, stat: BigIntStats, place: string): boolean {
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === place;
    } catch {
      // No /proc here.
    }
  }
  if (realpathSync(dirname(place)) !== dirname(place)) return false;
  const now = lstatSync(place, { bigint: true });
  return now.ino === stat.ino && now.dev === stat.dev;
}

/** Reads a file of at most 16 MiB; again, up to three times, when it changes meanwhile. `null` when it is gone or has become something else. */
export function readInside(root: string, path: string): Reading | null {
  for (let attempt = 1; ; attempt++) {
    const opened = openInside(root, path);
    if (opened === null) return null;
    try {
      if (opened.stat.size > HASHED_BYTES) return null;
      const content = readAll(opened.fd, Number(opened.stat.size));
      const torn = !isSame(opened.stat, fstatSync(opened.fd, { bigint: true })) || content.length !== Number(opened.stat.size);
      if (!torn || attempt === ATTEMPTS) return { stat: opened.stat, content, sha256: hashOf(content), torn };
    } finally {
      closeSync(opened.fd);
    }
  }
}

function readAll(fd: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, content, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return content.subarray(0, length);
}

/** Hands out a file of any size piece by piece; `true` when it changed meanwhile. */
export async function readInPieces(
  { fd, stat }: { readonly fd: number; readonly stat: BigIntStats },
  take: (piece: Buffer) => void,
  pace: Pacer,
): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const size = Number(stat.size);
  let position = 0;
  while (position < size) {
    await pace();
    const read = readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, size - position), position);
    if (read === 0) break;
    take(buffer.subarray(0, read));
    position += read;
  }
  return !isSame(stat, fstatSync(fd, { bigint: true })) || position !== size;
}

const hashOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** What a system tells about a file as it is. */
export type FileIdentity = Pick<BigIntStats, "ino" | "dev" | "size" | "ctimeNs" | "mtimeNs">;

/** Whether a file is what it was, as far as its system tells. No program can set the time of change. */
export const isSame = (a: FileIdentity, b: FileIdentity): boolean =>
  a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs;

/**
 * A change this soon after another may leave no mark. Some file systems know the time exactly and take it from a clock that
 * ticks every few milliseconds, others know full milliseconds or seconds.
 */
export const tickNs = ({ ctimeNs }: BigIntStats): bigint => (ctimeNs % 1_000_000n === 0n ? 2_000_000_000n : 50_000_000n);
