import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

/** Tells one start of the machine from another: what was written before a power cut may be gone, what was written since is there. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return `at${Math.round(Date.now() / 1000 - uptime())}`;
  }
}

/** The name of this machine or container, fit for the name of a file. */
export const hostId = (): string => hostname().replace(/[^A-Za-z0-9.-]/g, "-");

/** Where the system gives no id, two readings of when it started differ by what its clock was set in between. */
const TOLERANCE_S = 120;

export function isSameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [startOf(one), startOf(other)];
  return a !== null && b !== null && Math.abs(a - b) <= TOLERANCE_S;
}

const startOf = (id: string): number | null => (/^at\d+$/.test(id) ? Number(id.slice(2)) : null);
