import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { type FileHandle, mkdir, open, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { bootId, hostId } from "./boot-id.js";

/** Part of a file that is written but perhaps not on the disk yet. */
export interface Piece {
  /** Below the folder that holds the journals, with `/`. */
  readonly file: string;
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * One file in which the newest pieces of many files are made durable with one flush. After a power cut they are put back
 * where they belong (`recoverCommits`); as long as the machine runs the files themselves are complete.
 */
export interface CommitJournal {
  commit(pieces: readonly Piece[]): Promise<void>;
  /** Everything committed so far is durable in the files themselves. */
  reset(): Promise<void>;
  /** Bytes committed since the last reset. */
  size(): number;
  close(): Promise<void>;
}

export const JOURNAL_FOLDER = ".commits";

export function createCommitJournal(base: string): CommitJournal {
  const folder = join(base, JOURNAL_FOLDER);
  const path = join(folder, `${bootId()}_${process.pid}_${hostId()}_${randomBytes(4).toString("hex")}.jsonl`);
  let handle: FileHandle | null = null;
  let size = 0;

  return {
    size: () => size,
    async commit(pieces) {
      await mkdir(folder, { recursive: true });
      handle ??= await open(path, "a");
      const lines = pieces.map(({ file, offset, bytes }) => `${JSON.stringify({ file, offset, data: bytes.toString("utf8") })}\n`);
      const text = Buffer.from(lines.join(""));
      for (let done = 0; done < text.length; ) done += writeSync(handle.fd, text, done);
      size += text.length;
      await handle.datasync();
    },
    async reset() {
      size = 0;
      await handle?.truncate(0);
    },
    async close() {
      if (handle === null) return;
      await handle.close();
      handle = null;
      await unlink(path).catch(() => {});
      // Succeeds only when no other process has a journal here, which is what is wanted.
      await rmdir(folder).catch(() => {});
    },
  };
}
