import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { type EvaluationHeader, type EvaluationResult, mismatches, readEvaluation } from "@massgen/evaluation";
import { takeLock } from "@massgen/sdk";

export interface ResultsFile {
  /** Absolute. */
  readonly path: string;
  /** What was there before, in the order of the file. */
  readonly before: readonly EvaluationResult[];
  /** On the disk when it resolves. */
  readonly append: (result: EvaluationResult) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Begins a results file that nobody has: `name.jsonl` in `folder`, else `name_2.jsonl` and so on. @throws as `openResults` */
export async function createResults(folder: string, name: string, header: EvaluationHeader): Promise<ResultsFile> {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? "" : `_${count}`}.jsonl`);
    try {
      await mkdir(folder, { recursive: true });
      await (await open(path, "wx")).close();
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw unwritable(path, error);
    }
    const file = await openResults(path, header);
    let isEmpty = true;
    return {
      ...file,
      append: (result) => {
        isEmpty = false;
        return file.append(result);
      },
      // An evaluation that could not even begin leaves nothing behind.
      close: async () => {
        if (isEmpty) await rm(path, { force: true });
        await file.close();
      },
    };
  }
}

/**
 * Opens a results file to add to it: a new one, or one of the same evaluation, without the line a crash tore.
 *
 * @throws MassgenError `CONFIG_INVALID` (exit 1) for a file of something else, which is left as it is; `STORE_CONFLICT` while
 * another process writes it; `STORE_FAILED` when it cannot be written
 */
export async function openResults(path: string, header: EvaluationHeader): Promise<ResultsFile> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const lock = takeLock(path);
    try {
      const handle = await open(path, "a+");
      try {
        const before = await takeUp(handle, path, header);
        return opened(path, handle, before, () => lock.release());
      } catch (error) {
        await handle.close();
        throw error;
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw MassgenError.is(error) ? error : unwritable(path, error);
  }
}

/** What the file holds; its header when it is new. */
async function takeUp(handle: FileHandle, path: string, header: EvaluationHeader): Promise<readonly EvaluationResult[]> {
  const file = readEvaluation(await handle.readFile("utf8"), path);
  if (file === null) {
    await handle.truncate(0);
    await write(handle, header);
    return [];
  }
  const others = mismatches(file.header, header);
  if (others.length > 0) {
    throw new MassgenError("CONFIG_INVALID", `${path} is of another evaluation: ${others.join("; ")}.`, {
      exitCode: 1,
      hint: "Give the same data set, config and flags again, or name a new file with --results.",
    });
  }
  await handle.truncate(file.wholeBytes);
  return file.results;
}

function opened(path: string, handle: FileHandle, before: readonly EvaluationResult[], release: () => void): ResultsFile {
  // One line after the other, however many runs end at once.
  let last: Promise<void> = Promise.resolve();
  return {
    path,
    before,
    append: (result) => {
      last = last.then(() => write(handle, result));
      return last;
    },
    close: async () => {
      await last.catch(() => {});
      await handle.close();
      release();
    },
  };
}

async function write(handle: FileHandle, record: EvaluationHeader | EvaluationResult): Promise<void> {
  await handle.appendFile(`${JSON.stringify(record)}\n`);
  await handle.datasync();
}

const unwritable = (path: string, cause: unknown): MassgenError =>
  new MassgenError("STORE_FAILED", `The results cannot be kept in ${path}: ${cause instanceof Error ? cause.message : String(cause)}.`, {
    cause,
    hint: "Name another file with --results.",
  });
