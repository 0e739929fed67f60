import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What a process left behind is recognised by. */
export interface Lineage {
  /** Leader of the process group and session the command was started as. */
  readonly pid: number;
  /** `NAME=value` in the environment of everything it started, as long as that kept it. */
  readonly mark: string;
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly isZombie: boolean;
}

/**
 * Living processes that came from `lineage`: its descendants, its group and session, and on Linux whatever carries its
 * mark. The one thing it cannot find is a process that left group, session and parent and threw away its environment;
 * only a process namespace (every sandbox) holds that one.
 */
export async function findSurvivors(lineage: Lineage): Promise<readonly number[]> {
  const rows = process.platform === "linux" ? rowsOfProc() : await rowsOfPs();
  const found = new Set<number>();
  for (const row of rows) {
    if (row.pid === lineage.pid || row.group === lineage.pid || row.session === lineage.pid) found.add(row.pid);
    else if (process.platform === "linux" && !row.isZombie && carries(row.pid, lineage.mark)) found.add(row.pid);
  }
  addDescendants(found, rows);
  for (const row of rows) if (row.isZombie) found.delete(row.pid);
  found.delete(process.pid);
  return [...found];
}

export function signalAll(pids: Iterable<number>, signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Ended in between.
    }
  }
}

/** Processes below `pid`, itself included; 0 where that cannot be seen. Cheap enough to be asked ten times a second. */
export function countDescendants(pid: number): number {
  if (process.platform !== "linux") return 0;
  const found = new Set([pid]);
  addDescendants(found, rowsOfProc());
  return found.size;
}

function addDescendants(found: Set<number>, rows: readonly Row[]): void {
  const children = new Map<number, number[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row.pid]);
    else siblings.push(row.pid);
  }
  // A set visits what is added while it is walked, so children of children are found too.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
}

function rowsOfProc(): readonly Row[] {
  const rows: Row[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const row = rowOfStat(pid);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function rowOfStat(pid: number): Row | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold blanks and brackets; what follows the last one does not.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), isZombie: state === "Z" || state === "X" };
  } catch {
    return null;
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
  } catch {
    return false;
  }
}

function rowsOfPs(): Promise<readonly Row[]> {
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { env: {}, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
      if (error) return resolve([]);
      resolve(
        stdout.split("\n").flatMap((line) => {
          const [pid, parent, group, stat] = line.trim().split(/\s+/);
          if (stat === undefined) return [];
          return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, isZombie: stat.startsWith("Z") }];
        }),
      );
    });
  });
}
