import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Waits for a condition, not for a time; after 20 s it is told which one never came. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`never became true: ${condition.toString()}`);
    await nextTurn();
  }
}

/** A process that runs; one that is only waiting to be collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
  } catch {
    return process.platform !== "linux";
  }
}
