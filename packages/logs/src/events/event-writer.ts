import { mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { foldRecord, type RunView } from "@massgen/views";
import type { StepFolders } from "../files/step-folders.js";
import type { ZoneOffset } from "../local-time.js";
import type { Redactor } from "../redact/redactor.js";
import { joinGroup, type Membership } from "./group-commit.js";
import { type Lock, takeLock } from "./lock-file.js";
import { type LogFile, openLogFile } from "./log-file.js";
import { longTextsOf, withReferences } from "./long-texts.js";
import { persistedLine } from "./persisted-event.js";
import { readDecisions } from "./read-decisions.js";
import { recoverCommits } from "./recover-commits.js";

/**
 * Writes one `events.jsonl`. When the disk fails, the run is worth more than its log: the writer says so once and goes on
 * in memory.
 */
export interface EventWriter {
  /** Everything in the log, what it held before included. */
  readonly records: readonly Recorded[];
  /** Number of the newest record, in this file or before it; 0 when there is none. */
  lastSeq(): number;
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
  /** What stands in other files before this one. */
  before(): Promise<RunView>;
  onClosed(view: RunView): void;
  onWarning(message: string): void;
}

interface Disk {
  readonly log: LogFile;
  readonly lock: Lock;
  readonly commits: Membership;
}

/** @throws MassgenError `STORE_CONFLICT` when another process writes this log, `STORE_FAILED` when it is damaged. */
export async function openEventWriter(options: EventWriterOptions): Promise<EventWriter> {
  const { file, folders, redactor, zone, marks } = options;
  const records: Recorded[] = [];
  /** Folded from what is written, not from what happened: a sentence must not be cut from a text with a secret in it. */
  let view: RunView = await options.before();
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
    if (lost !== null) await closeDisk(lost).catch(() => {});
  }

  /** The lines of a decision; folds it on the way, because a line says what was true when it was written. */
  function linesOf(decision: readonly Recorded[], safe: readonly Recorded[]): string {
    const lines = decision.map((record, place) => {
      const before = view;
      const written = safe[place] ?? record;
      keep(record, written);
      const line = withReferences(persistedLine(written, before, view, zone), longTextsOf(written, folders));
      return `${JSON.stringify({ ...line, ...marks })}\n`;
    });
    return lines.join("");
  }

  async function writeTexts(safe: readonly Recorded[]): Promise<void> {
    const texts = safe.flatMap((record) => longTextsOf(record, folders));
    await Promise.all(texts.map(({ path, text }) => writeDurably(join(dirname(file), path), text)));
  }

  /** What the disk refuses ends the disk, not the run; what somebody else did to the file ends the run. */
  async function trying(work: (disk: Disk) => Promise<void> | void): Promise<void> {
    if (disk === null) return;
    try {
      await work(disk);
    } catch (error) {
      if (MassgenError.is(error)) throw error;
      if (disk !== null) await giveUpDisk(error);
    }
  }

  const flush = (): Promise<void> => trying(({ log, commits }) => commits.group.flush(log));

  try {
    disk = await openDisk(file, (record) => keep(record, record));
  } catch (error) {
    if (MassgenError.is(error)) throw error;
    await giveUpDisk(error);
  }

  return {
    records,
    lastSeq: () => view.lastSeq,
    async write(decision) {
      const safe = decision.map((record) => redactor.value(record));
      const started = safe.find((record) => record.type === "run_started");
      if (started?.type === "run_started") folders.nameAgents(started.agents.map((card) => card.id));
      await trying(({ log }) => log.checkUntouched());
      await trying(() => writeTexts(safe));
      const lines = Buffer.from(linesOf(decision, safe));
      await trying(({ log }) => log.append(lines));
    },
    flush,
    async close() {
      options.onClosed(view);
      const closing = disk;
      disk = null;
      if (closing !== null) await closeDisk(closing);
    },
  };
}

/** Reads what is there, after putting back what a power cut took, and cuts off what a crash left of a decision. */
async function openDisk(file: string, keep: (record: Recorded) => void): Promise<Disk> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const lock = takeLock(file);
  try {
    await recoverCommits(dirname(folder));
    let end = 0;
    for await (const decisions of readDecisions(file)) {
      for (const decision of decisions) {
        end = decision.end;
        for (const record of decision.records) keep(record);
      }
    }
    const log = await openLogFile(file, `${basename(folder)}/${basename(file)}`, end);
    return { log, lock, commits: joinGroup(dirname(folder)) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Durable by itself before the lock is given back: the next writer needs no journal of ours. */
async function closeDisk({ log, lock, commits }: Disk): Promise<void> {
  try {
    await log.datasync();
  } finally {
    await commits.group.leave(log);
    await log.close();
    lock.release();
    await commits.close();
  }
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
