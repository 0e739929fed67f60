import { setTimeout as wait } from "node:timers/promises";
import { findSurvivors, type Lineage, signalAll } from "./survivors.js";

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2_000;
/** From the first SIGKILL until what is still there is reported instead of waited for. */
const KILL_FOR_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface EndTreeOptions {
  /** Stands between the host and the command and must not get SIGTERM, or the command dies without one: a sandbox's parent. */
  readonly spareAtFirst: ReadonlySet<number>;
  /** 0 skips SIGTERM. */
  readonly graceMs?: number;
}

/** Ends everything that came from `lineage`, politely first. The pids that are alive all the same are returned: normally none. */
export async function endTree(lineage: Lineage, options: EndTreeOptions): Promise<readonly number[]> {
  const graceMs = options.graceMs ?? GRACE_MS;
  let left = await findSurvivors(lineage);
  if (graceMs > 0 && left.length > 0) {
    signalAll(
      left.filter((pid) => !options.spareAtFirst.has(pid)),
      "SIGTERM",
    );
    left = await untilNone(lineage, graceMs, false);
  }
  return left.length === 0 ? left : untilNone(lineage, KILL_FOR_MS, true);
}

async function untilNone(lineage: Lineage, forMs: number, isKilling: boolean): Promise<readonly number[]> {
  const until = performance.now() + forMs;
  for (;;) {
    const left = await findSurvivors(lineage);
    if (left.length === 0) return left;
    if (isKilling) {
      // The group at once and atomically, so that a member cannot fork away between two signals.
      signalAll([-lineage.pid], "SIGKILL");
      signalAll(left, "SIGKILL");
    }
    if (performance.now() >= until) return left;
    await wait(LOOK_EVERY_MS);
  }
}
