import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What is kept of an output: its beginning and its end, never more than asked for, however much was printed. */
export interface Captured {
  readonly head: string;
  /** Empty when `head` holds everything. */
  readonly tail: string;
  readonly totalBytes: number;
  /** Bytes between `head` and `tail` that were not kept. */
  readonly omittedBytes: number;
}

export interface Capture {
  add(chunk: Buffer): void;
  read(): Captured;
}

export function createCapture(keepBytes: number): Capture {
  const headBytes = Math.floor(keepBytes / 2);
  const tailBytes = keepBytes - headBytes;
  let total = 0;
  let headLength = 0;
  const head: Buffer[] = [];
  let tailLength = 0;
  let tail: Buffer[] = [];
  return {
    add(chunk) {
      total += chunk.length;
      let rest = chunk;
      if (headLength < headBytes) {
        const part = rest.subarray(0, headBytes - headLength);
        head.push(part);
        headLength += part.length;
        rest = rest.subarray(part.length);
      }
      if (rest.length === 0) return;
      tail.push(rest);
      tailLength += rest.length;
      let spare = 0;
      while (spare < tail.length && tailLength - (tail[spare]?.length ?? 0) >= tailBytes) tailLength -= tail[spare++]?.length ?? 0;
      // Many tiny chunks would make shifting one by one quadratic.
      if (spare > 0) tail = tail.slice(spare);
    },
    read() {
      const first = Buffer.concat(head);
      const kept = Buffer.concat(tail);
      const last = kept.subarray(Math.max(0, kept.length - tailBytes));
      const omittedBytes = total - first.length - last.length;
      if (omittedBytes === 0) return { head: Buffer.concat([first, last]).toString("utf8"), tail: "", totalBytes: total, omittedBytes };
      const start = startOfCharacter(last);
      return {
        head: first.subarray(0, first.length - unfinished(first)).toString("utf8"),
        tail: last.subarray(start).toString("utf8"),
        totalBytes: total,
        omittedBytes,
      };
    },
  };
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function startOfCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start += 1;
  return start;
}

/** How many bytes at the end belong to a UTF-8 character whose rest is still to come. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Passes chunks on cut at characters, so that two streams can be mixed without tearing one. */
export function byCharacter(pass: (chunk: Buffer) => void): { push(chunk: Buffer): void; end(): void } {
  let held: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const cut = all.length - unfinished(all);
      held = all.subarray(cut);
      if (cut > 0) pass(all.subarray(0, cut));
    },
    end() {
      if (held.length > 0) pass(held);
      held = Buffer.alloc(0);
    },
  };
}

export interface Spill {
  readonly path: string;
  add(chunk: Buffer): void;
  close(): void;
}

/**
 * A file for what does not fit: `name` in `folder`, up to `capBytes`. The folder may lie where an agent writes, so neither
 * it nor the file is opened through a link, and an existing file is never written to.
 */
export function openSpill(folder: string, name: string, capBytes: number): Spill {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const folderFd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  let fd: number;
  try {
    // Through the descriptor the folder cannot be swapped for a link in between. Other systems have only the check above.
    const base = process.platform === "linux" ? `/proc/self/fd/${folderFd}` : folder;
    fd = openSync(join(base, name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  } finally {
    closeSync(folderFd);
  }
  let left = capBytes;
  let isOpen = true;
  return {
    path: join(folder, name),
    add(chunk) {
      if (!isOpen || left === 0) return;
      const part = chunk.subarray(0, left);
      try {
        writeSync(fd, part);
        left -= part.length;
      } catch {
        // A full disk costs the file, not the command.
        left = 0;
      }
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}
