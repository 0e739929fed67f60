import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A control group that holds processes to a number of them. */
export interface ProcessGroupCeiling {
  readonly folder: string;
  add(pid: number): void;
  /** Removes it; processes that are left in it keep it, and the watchdog removes it later. */
  close(): void;
}

const ROOT = "/sys/fs/cgroup";

/** `null` where control groups cannot be made: without root, and in most containers. */
export function openProcessCgroup(maxProcesses: number): ProcessGroupCeiling | null {
  for (const parent of parents()) {
    const folder = join(parent, `massgen-${process.pid}-${randomBytes(4).toString("hex")}`);
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(folder, "pids.max"), String(maxProcesses));
      return {
        folder,
        add: (pid) => writeFileSync(join(folder, "cgroup.procs"), String(pid)),
        close: () => remove(folder),
      };
    } catch {
      remove(folder);
    }
  }
  return null;
}

/** Of version 2 where the controller is handed down, of version 1 our own group of that controller. */
function parents(): readonly string[] {
  let lines: readonly string[];
  try {
    lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  } catch {
    return [];
  }
  return lines.flatMap((line) => {
    const [, controllers = "", path = "/"] = line.split(":");
    if (controllers.split(",").includes("pids")) return [join(ROOT, controllers, path)];
    if (controllers !== "") return [];
    // A group with processes cannot hand controllers down, so its parent may have to do.
    const own = join(ROOT, path);
    return [own, dirname(own)].filter((folder) => folder.startsWith(ROOT) && handsDown(folder));
  });
}

function handsDown(folder: string): boolean {
  try {
    return readFileSync(join(folder, "cgroup.subtree_control"), "utf8").split(/\s/).includes("pids");
  } catch {
    return false;
  }
}

function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty yet, or never made.
  }
}
