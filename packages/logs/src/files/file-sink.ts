import { appendFile, mkdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Redactor } from "../redact/redactor.js";
import { replaceFile } from "./replace-file.js";

/**
 * Writes the files of a log folder, secrets removed. Paths are below the folder, with `/`. Nothing here ever rejects: a
 * file that cannot be written costs a warning and not the run. Writes to one file happen in the order they were asked for;
 * of whole contents that wait for the disk only the newest is written.
 */
export interface FileSink {
  /** Pretty-printed JSON, whole: beside the file, flushed, then renamed, so that no reader sees half of it. */
  json(path: string, value: unknown): Promise<void>;
  /** The same for a text that is whole each time. */
  text(path: string, text: string): Promise<void>;
  /** Adds to the end of a file. The text is written as it is: a stream of pieces must be redacted as a stream. */
  append(path: string, text: string): Promise<void>;
  /** `path` shows what `target`, in the same folder, holds: a link, or a copy where there are no links. */
  link(path: string, target: string, content: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Moves a file out of the way. */
  move(from: string, to: string): Promise<void>;
  /** Everything that was asked for is done. */
  settled(): Promise<void>;
}

export interface FileSinkOptions {
  readonly folder: string;
  readonly redactor: Redactor;
  onWarning(message: string): void;
}

type Work = (file: string) => Promise<void>;

export function createFileSink({ folder, redactor, onWarning }: FileSinkOptions): FileSink {
  const queues = new Map<string, Promise<void>>();
  /** Whole contents that have not begun to be written, each the last in the queue of its path. */
  const waiting = new Map<string, { readonly entry: { work: Work }; readonly done: Promise<void> }>();

  function whole(path: string, work: Work): Promise<void> {
    const last = waiting.get(path);
    if (last !== undefined) {
      last.entry.work = work;
      return last.done;
    }
    const entry = { work };
    const done = inOrder(path, (file) => {
      if (waiting.get(path)?.entry === entry) waiting.delete(path);
      return entry.work(file);
    });
    waiting.set(path, { entry, done });
    return done;
  }

  function inOrder(path: string, work: Work): Promise<void> {
    // What comes after this must not be put before it.
    waiting.delete(path);
    const file = join(folder, path);
    const done = (queues.get(path) ?? Promise.resolve()).then(async () => {
      try {
        await withFolder(file, work);
      } catch (error) {
        onWarning(
          `${file} cannot be written (${error instanceof Error ? error.message : String(error)}). The run goes on; its log is incomplete.`,
        );
      }
    });
    queues.set(path, done);
    const forget = (): void => {
      if (queues.get(path) === done) queues.delete(path);
    };
    return done.then(forget);
  }

  return {
    json: (path, value) => whole(path, (file) => replaceFile(file, `${JSON.stringify(redactor.value(value), null, 2)}\n`, true)),
    text: (path, text) => whole(path, (file) => replaceFile(file, redactor.text(text), path.endsWith(".yaml"))),
    append: (path, text) => inOrder(path, (file) => appendFile(file, text)),
    link: (path, target, content) => inOrder(path, (file) => linkOrCopy(file, target, redactor.text(content))),
    move: (from, to) => inOrder(from, (file) => rename(file, join(folder, to))),
    exists: (path) =>
      stat(join(folder, path)).then(
        () => true,
        () => false,
      ),
    async settled() {
      while (queues.size > 0) await Promise.all(queues.values());
    },
  };
}

/** Folders are made when the first file needs them. */
async function withFolder(file: string, work: Work): Promise<void> {
  try {
    await work(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await mkdir(dirname(file), { recursive: true });
    await work(file);
  }
}

async function linkOrCopy(file: string, target: string, content: string): Promise<void> {
  await rm(file, { force: true });
  try {
    await symlink(target, file);
  } catch {
    // Windows without the right to make links, and file systems that have none.
    await writeFile(file, content);
  }
}
