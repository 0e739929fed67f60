import type { FileSink } from "./file-sink.js";

/** A text file that grows. What is added is kept until `flush`, so that a stream of tokens is not a stream of writes. */
export interface TextLog {
  add(text: string): void;
  flush(): Promise<void>;
}

export interface TextLogOptions {
  /** Bytes after which the file is put aside as `<path>.1` and begun anew; older ones move up to `.2`, `.3` and go. Default: never. */
  readonly rotateBytes?: number;
  readonly keep?: number;
}

export function createTextLog(
  sink: FileSink,
  path: string,
  { rotateBytes = Number.POSITIVE_INFINITY, keep = 3 }: TextLogOptions = {},
): TextLog {
  let pending = "";
  let size = 0;

  async function rotate(): Promise<void> {
    for (let number = keep - 1; number >= 1; number--) {
      if (await sink.exists(`${path}.${number}`)) await sink.move(`${path}.${number}`, `${path}.${number + 1}`);
    }
    await sink.move(path, `${path}.1`);
    size = 0;
  }

  async function write(): Promise<void> {
    if (pending === "") return;
    const text = pending;
    pending = "";
    const bytes = Buffer.byteLength(text);
    if (size > 0 && size + bytes > rotateBytes) await rotate();
    size += bytes;
    await sink.append(path, text);
  }

  let writing: Promise<void> = Promise.resolve();
  return {
    add(text) {
      pending += text;
    },
    flush() {
      writing = writing.then(write);
      return writing;
    },
  };
}
