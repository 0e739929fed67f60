import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { MassgenError } from "@massgen/contracts";

/** The right to write a log, held until it is released. */
export interface Lock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as its system counts; `null` where that cannot be told. Tells it from a later one of the same number. */
  readonly started: string | null;
}

/**
 * Takes the right to write `file` for this process. A lock whose process is gone is taken over; within a process the
 * caller sees to it that a file is opened once.
 *
 * @throws MassgenError `STORE_CONFLICT` when another living process holds it.
 */
export function takeLock(file: string): Lock {
  const path = `${file}.lock`;
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  for (let attempt = 0; ; attempt++) {
    try {
      create(path, `${JSON.stringify(me)}\n`);
      return { release: () => remove(path) };
    } catch (error) {
      if (!hasCode(error, "EEXIST") || attempt === 3) throw error;
    }
    const text = readText(path);
    const holder = holderIn(text);
    if (holder !== null && isAlive(holder, me)) throw heldBy(file, path, holder);
    if (text !== null) removeStale(path, text);
  }
}

/** The file appears with its content: nobody ever reads one that is being written and takes its writer for dead. */
function create(path: string, text: string): void {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, text);
  try {
    linkSync(own, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw error;
    // A file system without links.
    writeFileSync(path, text, { flag: "wx" });
  } finally {
    remove(own);
  }
}

/** Two may find the same lock of a dead process; whoever comes second must not remove what the first has put in its place. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside) !== text) {
    try {
      linkSync(aside, path);
    } catch {
      // Somebody has it by now.
    }
  }
  remove(aside);
}

/** Whether a living process other than this one has the right to write `file`. */
export function isHeld(file: string): boolean {
  const holder = holderIn(readText(`${file}.lock`));
  return holder !== null && isAlive(holder, { pid: process.pid, host: hostname(), started: null });
}

/** Whether a living process, this one included, has the right to write `file`. Takes and changes nothing. */
export function isLocked(file: string): boolean {
  const holder = holderIn(readText(`${file}.lock`));
  if (holder === null) return false;
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  return holder.pid === me.pid && holder.host === me.host ? holder.started === me.started : isAlive(holder, me);
}

function heldBy(file: string, path: string, { pid, host }: Holder): MassgenError {
  return new MassgenError("STORE_CONFLICT", `${file} is being written by process ${pid} on ${host}.`, {
    hint: `Wait for it to end. If it has ended, remove ${path}.`,
  });
}

/** `null` for a lock that was torn. */
function holderIn(text: string | null): Holder | null {
  try {
    const holder: unknown = JSON.parse(text ?? "");
    return isHolder(holder)
      ? { ...holder, started: "started" in holder && typeof holder.started === "string" ? holder.started : null }
      : null;
  } catch {
    return null;
  }
}

/** `null` for a file that has just gone. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

const isHolder = (value: unknown): value is Omit<Holder, "started"> =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  typeof value.pid === "number" &&
  "host" in value &&
  typeof value.host === "string";

/** Of another machine nothing is known, so its lock stands. Our own number means a process before us had it (containers start at 1). */
function isAlive(holder: Holder, me: Holder): boolean {
  if (holder.host !== me.host) return true;
  if (holder.pid === me.pid) return false;
  try {
    process.kill(holder.pid, 0);
    const started = startOf(holder.pid);
    if (started === ENDED) return false;
    return holder.started === null || started === null || started === holder.started;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** A process that has ended and that nobody has asked about yet: it answers signals and writes nothing. */
const ENDED = "ended";

/** Ticks since the system came up, from `/proc`; `null` on other systems. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program stands in brackets and may hold anything; fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? ENDED : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else removed it: that is what was wanted.
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code;
