import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { StepFolders } from "../files/step-folders.js";
import type { ZoneOffset } from "../local-time.js";
import type { Redactor } from "../redact/redactor.js";
import { type Lock, takeLock } from "./lock-file.js";
import { longTextsOf, withReferences } from "./long-texts.js";
import { persistedLine } from "./persisted-event.js";
import { readDecisions } from "./read-decisions.js";
import { createFlusher, type Flusher } from "./shared-flush.js";

/**
 * Writes one `events.jsonl`. When the disk fails, the run is worth more than its log: the writer says so once and goes on
 * in memory.
 */
export interface EventWriter {
  /** Everything in the log, what it held before included. */
  readonly records: readonly Recorded[];
  /** Puts one decision into the file, texts first, then all its lines with one write. @throws MassgenError `STORE_CONFLICT` */
  write(decision: readonly Recorded[]): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface EventWriterOptions {
  readonly file: string;
  readonly folders: StepFolders;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
  /** Keys that every line of such a run carries, `simulated` for instance. */
  readonly marks: Readonly<Record<string, boolean>>;
  onWarning(message: string): void;
}

interface Disk {
  readonly handle: FileHandle;
  readonly lock: Lock;
  readonly flusher: Flusher;
  size: number;
}

/** @throws MassgenError `STORE_CONFLICT` when another process writes this log, `STORE_FAILED` when it is damaged. */
export async function openEventWriter(options: EventWriterOptions): Promise<EventWriter> {
  const { file, folders, redactor, zone, marks } = options;
  const records: Recorded[] = [];
  /** Folded from what is written, not from what happened: a sentence must not be cut from a text with a secret in it. */
  let view: RunView = emptyRunView;
  let disk: Disk | null = null;

  function keep(record: Recorded, safe: Recorded): void {
    records.push(record);
    view = foldRecord(view, safe);
    if (record.type === "run_started") folders.nameAgents(record.agents.map((card) => card.id));
  }

  async function giveUpDisk(error: unknown): Promise<void> {
    const lost = disk;
    disk = null;
    const reason = error instanceof Error ? error.message : String(error);
    options.onWarning(`The log ${file} cannot be written (${reason}). The run goes on; its record from here on is lost when it ends.`);
    lost?.lock.release();
    await lost?.handle.close().catch(() => {});
  }

  /** The lines of a decision; folds it on the way, because a line says what was true when it was written. */
  function linesOf(decision: readonly Recorded[]): string {
    return decision
      .map((record) => {
        const before = view;
        const safe = redactor.value(record);
        keep(record, safe);
        const line = withReferences(persistedLine(safe, before, view, zone), longTextsOf(safe, folders));
        return `${JSON.stringify({ ...line, ...marks })}\n`;
      })
      .join("");
  }

  async function writeTexts(decision: readonly Recorded[]): Promise<void> {
    for (const record of decision) {
      for (const { path, text } of longTextsOf(record, folders)) await writeDurably(join(dirname(file), path), redactor.text(text));
    }
  }

  async function flush(): Promise<void> {
    try {
      await disk?.flusher.flush();
    } catch (error) {
      if (disk !== null) await giveUpDisk(error);
    }
  }

  try {
    disk = await openDisk(file, (record) => keep(record, record));
  } catch (error) {
    if (MassgenError.is(error)) throw error;
    await giveUpDisk(error);
  }

  return {
    records,
    async write(decision) {
      const opened = decision.find((record) => record.type === "run_started");
      if (opened?.type === "run_started") folders.nameAgents(opened.agents.map((card) => card.id));
      if (disk !== null) checkUntouched(file, disk);
      try {
        if (disk !== null) await writeTexts(decision);
      } catch (error) {
        await giveUpDisk(error);
      }
      const lines = linesOf(decision);
      try {
        if (disk !== null) writeWhole(disk, Buffer.from(lines));
      } catch (error) {
        await giveUpDisk(error);
      }
    },
    flush,
    async close() {
      await flush();
      disk?.lock.release();
      await disk?.handle.close();
      disk = null;
    },
  };
}

/** Reads what is there and cuts off what a crash left of a decision. */
async function openDisk(file: string, keep: (record: Recorded) => void): Promise<Disk> {
  await mkdir(dirname(file), { recursive: true });
  const lock = takeLock(file);
  try {
    let end = 0;
    for await (const decisions of readDecisions(file)) {
      for (const decision of decisions) {
        end = decision.end;
        for (const record of decision.records) keep(record);
      }
    }
    const handle = await open(file, "a");
    if ((await handle.stat()).size > end) await handle.truncate(end);
    return { handle, lock, flusher: createFlusher(handle), size: end };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Appends with as few writes as the system allows, normally one; on failure nothing of it stays. */
function writeWhole(disk: Disk, bytes: Buffer): void {
  const { fd } = disk.handle;
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    disk.size += bytes.length;
  } catch (error) {
    ftruncateSync(fd, disk.size);
    throw error;
  }
}

function checkUntouched(file: string, disk: Disk): void {
  const { size } = fstatSync(disk.handle.fd);
  if (size === disk.size) return;
  throw new MassgenError("STORE_CONFLICT", `${file} has ${size} bytes where ${disk.size} were written: somebody else has written to it.`);
}

async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, "w");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
