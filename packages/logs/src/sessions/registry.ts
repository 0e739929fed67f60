import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MassgenError } from "@massgen/contracts";
import { type Lock, takeLock } from "../events/lock-file.js";
import { replaceFile } from "../files/replace-file.js";

/** A session in the list of all sessions of a user. */
export interface SessionEntry {
  readonly id: string;
  /** Absolute. */
  readonly folder: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly status: "active" | "completed";
  readonly configPath: string | null;
  readonly model: string | null;
  /** The beginning of its first question. */
  readonly description: string;
  readonly logDirectory: string | null;
  readonly turns: number;
}

/** A row of the file; those of other programs, and keys we do not know, stay as they are. */
type Row = Readonly<Record<string, unknown>>;

export interface RegistryContent {
  readonly entries: readonly SessionEntry[];
  /** The file is no list: what could be saved of it is in `entries`. */
  readonly isDamaged: boolean;
}

/** The registry as it stands; a file that is not there is an empty one. */
export async function readRegistry(file: string): Promise<RegistryContent> {
  const { rows, isDamaged } = await readRows(file);
  const entries: SessionEntry[] = [];
  for (const row of rows) {
    const entry = entryOf(row);
    if (entry !== null) entries.push(entry);
  }
  return { entries, isDamaged };
}

export interface RegistryChange {
  /** Replaced or added: whatever has the same folder goes. */
  readonly put?: readonly SessionEntry[];
  /** Folder of a session that goes. */
  readonly remove?: string;
}

/**
 * Changes the registry under its lock, as a whole and in one step. A damaged file is kept beside it, what can be saved of it
 * goes on, and `onDamage` is told. `change` sees the entries as they are then.
 */
export function changeRegistry(
  file: string,
  change: (entries: readonly SessionEntry[]) => RegistryChange | Promise<RegistryChange>,
  onDamage: (message: string) => void,
): Promise<void> {
  const mine = (changing.get(file) ?? Promise.resolve()).then(() => changeLocked(file, change, onDamage));
  changing.set(
    file,
    mine.catch(() => {}),
  );
  return mine;
}

/** The lock tells processes apart; within this one changes wait for each other here. */
const changing = new Map<string, Promise<void>>();

async function changeLocked(
  file: string,
  change: (entries: readonly SessionEntry[]) => RegistryChange | Promise<RegistryChange>,
  onDamage: (message: string) => void,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const lock = await waitForLock(file);
  try {
    const { rows, isDamaged } = await readRows(file);
    const { put = [], remove } = await change(rows.flatMap((row) => entryOf(row) ?? []));
    if (isDamaged) await setAside(file, onDamage);
    const gone = new Set([...put.map((entry) => entry.folder), ...(remove === undefined ? [] : [remove])]);
    const byFolder = new Map(rows.map((row) => [row["folder"], row] as const));
    const kept = rows.filter((row) => typeof row["folder"] !== "string" || !gone.has(row["folder"]));
    const added = put.map((entry): Row => ({ ...byFolder.get(entry.folder), ...rowOf(entry) }));
    await replaceFile(file, textOf([...kept, ...added]), true);
  } finally {
    lock.release();
  }
}

/** Longest wait for other processes; each holds the lock for some milliseconds. */
const PATIENCE_MS = 20_000;

async function waitForLock(file: string): Promise<Lock> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!MassgenError.is(error, "STORE_CONFLICT") || performance.now() - startedMs > PATIENCE_MS) throw error;
      await sleep(5 + (process.pid % 10));
    }
  }
}

async function setAside(file: string, onDamage: (message: string) => void): Promise<void> {
  for (let number = 1; ; number++) {
    const aside = `${file}.damaged${number === 1 ? "" : `-${number}`}`;
    if (await exists(aside)) continue;
    await rename(file, aside);
    onDamage(`The list of sessions ${file} was damaged. It is kept as ${aside}; sessions whose folders are there are listed again.`);
    return;
  }
}

const exists = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

async function readRows(file: string): Promise<{ readonly rows: readonly Row[]; readonly isDamaged: boolean }> {
  let text: string;
  try {
    // Decoded as a whole: piece by piece takes three times as long for a list of thousands.
    text = (await readFile(file)).toString("utf8");
    if (text.startsWith("\uFEFF")) text = text.slice(1);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { rows: [], isDamaged: false };
    throw error;
  }
  const whole = parseOrNull(text);
  if (isMap(whole) && Array.isArray(whole["sessions"])) {
    const rows: readonly unknown[] = whole["sessions"];
    return { rows: rows.every(isMap) ? rows : rows.filter(isMap), isDamaged: false };
  }
  return { rows: savedRows(text), isDamaged: true };
}

/** A row stands on a line of its own, so that damage to one leaves the others. */
function savedRows(text: string): readonly Row[] {
  const rows = text.split("\n").flatMap((line): readonly Row[] => {
    const row = parseOrNull(line.trim().replace(/,$/, ""));
    return isMap(row) && typeof row["session_id"] === "string" ? [row] : [];
  });
  // A file whose end is there twice names sessions twice.
  return [...new Map(rows.map((row) => [`${String(row["session_id"])}\n${String(row["folder"])}`, row])).values()];
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const textOf = (rows: readonly Row[]): string => `{"sessions": [\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]}\n`;

const isMap = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

const rowOf = (entry: SessionEntry): Row => ({
  session_id: entry.id,
  start_time: entry.startedAt,
  end_time: entry.endedAt,
  status: entry.status,
  config_path: entry.configPath,
  model: entry.model,
  description: entry.description,
  log_directory: entry.logDirectory,
  subagent: false,
  parent_session_id: null,
  folder: entry.folder,
  turns: entry.turns,
});

/** `null` for a row of another program, which does not say where its session is. */
function entryOf(row: Row): SessionEntry | null {
  const text = (key: string): string | null => (typeof row[key] === "string" ? row[key] : null);
  const [id, folder, startedAt] = [text("session_id"), text("folder"), text("start_time")];
  if (id === null || folder === null || startedAt === null) return null;
  return {
    id,
    folder,
    startedAt,
    endedAt: text("end_time"),
    status: row["status"] === "completed" ? "completed" : "active",
    configPath: text("config_path"),
    model: text("model"),
    description: text("description") ?? "",
    logDirectory: text("log_directory"),
    turns: typeof row["turns"] === "number" ? row["turns"] : 0,
  };
}
