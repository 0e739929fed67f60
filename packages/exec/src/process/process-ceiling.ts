import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { getuid } from "node:process";
import { openProcessCgroup } from "./cgroup.js";
import type { ProcessLimits } from "./gate.js";
import { countDescendants } from "./survivors.js";
import { unwatchFolder, watchFolder } from "./watchdog.js";

const LOOK_EVERY_MS = 100;

/** The kernel's limit of a user's processes does not hold root: there a control group does, or, without one, counting. */
export const needsCounting = (): boolean => process.platform === "linux" && getuid?.() === 0;

/**
 * Limits as the kernel understands them. It counts all processes of the user, so those that run already come on top. On
 * other systems a number that leaves room for them would hold nothing.
 */
export function enforceable(limits: ProcessLimits): ProcessLimits {
  if (limits.processes === null || needsCounting()) return { ...limits, processes: null };
  return { ...limits, processes: process.platform === "linux" ? limits.processes + threadsOfUser() : null };
}

/**
 * Holds `pid`, which has started nothing yet, to `max` processes. Where the kernel does not do it, `tooMany` is called once
 * they are more; a fork bomb may then get far before it is seen. Gives back what lets go again.
 */
export function holdProcesses(pid: number, max: number | null, tooMany: () => void): () => void {
  if (max === null) return () => {};
  const group = openProcessCgroup(max);
  if (group !== null) {
    watchFolder(group.folder);
    group.add(pid);
    return () => {
      group.close();
      if (!existsSync(group.folder)) unwatchFolder(group.folder);
    };
  }
  const timer = setInterval(() => {
    if (countDescendants(pid) <= max) return;
    clearInterval(timer);
    tooMany();
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function threadsOfUser(): number {
  const uid = getuid?.() ?? -1;
  let threads = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (statSync(`/proc/${name}`).uid !== uid) continue;
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      threads += Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[17]);
    } catch {
      // Ended in between.
    }
  }
  return threads;
}
