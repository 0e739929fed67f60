import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { MassgenError } from "@massgen/contracts";
import type { Flushable } from "./group-commit.js";

/** A file that one process appends to. */
export interface LogFile extends Flushable {
  /** @throws MassgenError `STORE_CONFLICT` when there are bytes that this process did not write. */
  checkUntouched(): void;
  /** With as few writes as the system allows, normally one; on failure nothing of it stays. */
  append(bytes: Buffer): void;
  close(): Promise<void>;
}

/** Beyond this nothing is kept in memory for a shared flush; the file is flushed by itself then. */
const MAX_KEPT_BYTES = 1 << 20;

/** Opens `path` for appending behind byte `end`; what stands there is cut off. `name` is its name in journals. */
export async function openLogFile(path: string, name: string, end: number): Promise<LogFile> {
  const handle = await open(path, "a");
  if ((await handle.stat()).size > end) await handle.truncate(end);
  let size = end;
  let flushed = end;
  /** The bytes behind `flushed`, in pieces. */
  let kept: { readonly offset: number; readonly bytes: Buffer }[] = [];

  function flushedTo(offset: number): void {
    flushed = Math.max(flushed, offset);
    kept = kept.filter((piece) => piece.offset + piece.bytes.length > flushed);
  }

  return {
    checkUntouched() {
      const { size: there } = fstatSync(handle.fd);
      if (there === size) return;
      throw new MassgenError("STORE_CONFLICT", `${path} has ${there} bytes where ${size} were written: somebody else has written to it.`);
    },

    append(bytes) {
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(handle.fd, bytes, done);
      } catch (error) {
        ftruncateSync(handle.fd, size);
        throw error;
      }
      kept.push({ offset: size, bytes });
      size += bytes.length;
    },

    async datasync() {
      const upTo = size;
      await handle.datasync();
      flushedTo(upTo);
    },

    unflushed() {
      const offset = kept[0]?.offset ?? size;
      return size - offset > MAX_KEPT_BYTES ? null : { file: name, offset, bytes: Buffer.concat(kept.map((piece) => piece.bytes)) };
    },

    flushedTo,
    close: () => handle.close(),
  };
}
