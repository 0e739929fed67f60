import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { mayHaveTexts, withTexts } from "./long-texts.js";
import { type PersistedLine, recordOf } from "./persisted-event.js";

export interface Decision {
  readonly records: readonly Recorded[];
  /** Bytes of the file up to and including this decision. */
  readonly end: number;
}

const CHUNK_BYTES = 1 << 18;
const NEWLINE = 10;

/**
 * The complete decisions of an `events.jsonl` from byte `from` on, as many at a time as a piece of the file holds. What a
 * crash tore off at the end is passed over; a damaged line with whole decisions behind it is no tear and throws. A file
 * that does not exist has none.
 *
 * @throws MassgenError `STORE_FAILED` naming the place.
 */
export async function* readDecisions(file: string, from = 0): AsyncGenerator<readonly Decision[]> {
  let pending: PersistedLine[] = [];
  let damaged: { readonly end: number; readonly cause: unknown } | null = null;
  for await (const lines of readLines(file, from)) {
    const decisions: { readonly lines: readonly PersistedLine[]; readonly end: number }[] = [];
    for (const { text, end } of lines) {
      const line = parseLine(text);
      if ("cause" in line) {
        damaged ??= { end, cause: line.cause };
        continue;
      }
      // A tear can only be the end of the file: whole lines behind it mean that the disk or an editor damaged it.
      if (damaged !== null) throw damagedAt(file, damaged);
      pending.push(line);
      if (!line.closes) continue;
      decisions.push({ lines: pending, end });
      pending = [];
    }
    const read: Decision[] = [];
    for (const decision of decisions) read.push({ records: await recordsOf(decision.lines, dirname(file)), end: decision.end });
    if (read.length > 0) yield read;
  }
}

function parseLine(text: string): PersistedLine | { readonly cause: unknown } {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : { cause: new TypeError("not an event") };
  } catch (cause) {
    return { cause };
  }
}

const isLine = (value: unknown): value is PersistedLine =>
  typeof value === "object" && value !== null && "seq" in value && "event_type" in value && "context" in value && "closes" in value;

function damagedAt(file: string, { end, cause }: { readonly end: number; readonly cause: unknown }): MassgenError {
  return new MassgenError("STORE_FAILED", `${file}: the line that ends at byte ${end} is damaged, and whole records stand behind it.`, {
    cause,
    hint: "Restore the file from a copy, or remove the damaged line and everything behind it.",
  });
}

const recordsOf = (lines: readonly PersistedLine[], folder: string): Promise<readonly Recorded[]> | readonly Recorded[] =>
  lines.some(mayHaveTexts)
    ? Promise.all(lines.map(async (line) => recordOf(await withTexts(line, (path) => readText(folder, path)))))
    : lines.map(recordOf);

/** A text beside the log. One that is gone leaves a word of its own: the rest of the log can still be read. */
async function readText(folder: string, path: string): Promise<string> {
  const file = resolve(folder, path);
  if (!file.startsWith(resolve(folder) + sep)) return `[text outside the log: ${path}]`;
  try {
    return await readFile(file, "utf8");
  } catch {
    return `[text missing: ${path}]`;
  }
}

interface Line {
  readonly text: string;
  /** Byte after its newline. */
  readonly end: number;
}

/** Lines that end in a newline, piece by piece of the file. A last line without one was torn and is left out. */
async function* readLines(file: string, from: number): AsyncGenerator<readonly Line[]> {
  const handle = await openIfThere(file);
  if (handle === null) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    let position = from;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      const data = rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const start = position - rest.length;
      position += bytesRead;
      const { lines, begin } = splitLines(data, start);
      if (lines.length > 0) yield lines;
      rest = data.subarray(begin);
    }
  } finally {
    await handle.close();
  }
}

function splitLines(data: Buffer, start: number): { readonly lines: readonly Line[]; readonly begin: number } {
  const lines: Line[] = [];
  let begin = 0;
  for (let at = data.indexOf(NEWLINE); at !== -1; at = data.indexOf(NEWLINE, begin)) {
    lines.push({ text: data.toString("utf8", begin, at), end: start + at + 1 });
    begin = at + 1;
  }
  return { lines, begin };
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

export const eventsFileIn = (folder: string): string => join(folder, "events.jsonl");
