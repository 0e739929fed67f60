import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Tells one process from every other, also from a later one with its number. `null`: this system does not say. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Where numbers of processes mean the same: one start of one machine, one container. */
  readonly space: string | null;
  readonly startedTicks: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), space: numberSpace(), startedTicks: startOf(process.pid) };
}

export type Life = "alive" | "dead" | "unknown";

/** `unknown` when the process was on another machine, or in another container or start of this one, as far as can be told. */
export function lifeOf(other: ProcessIdentity, own: ProcessIdentity): Life {
  if (other.host !== own.host || other.space !== own.space) return "unknown";
  if (!exists(other.pid)) return "dead";
  if (other.startedTicks === null) return other.pid === own.pid ? "dead" : "alive";
  return startOf(other.pid) === other.startedTicks ? "alive" : "dead";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function numberSpace(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

/** The 22nd field; the second, in parentheses, may hold anything. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
