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
  const asked = new Set(options.spareAtFirst);
  if (graceMs > 0) {
    const left = await untilNone(lineage, graceMs, (pids) => {
      // Each once, those that were just being started too.
      const fresh = pids.filter((pid) => !asked.has(pid));
      for (const pid of fresh) asked.add(pid);
      signalAll(fresh, "SIGTERM");
    });
    if (left.length === 0) return left;
  }
  return untilNone(lineage, KILL_FOR_MS, (pids) => {
    // The group at once and atomically, so that a member cannot fork away between two signals.
    signalAll([-lineage.pid], "SIGKILL");
    signalAll(pids, "SIGKILL");
  });
}

async function untilNone(lineage: Lineage, forMs: number, end: (pids: readonly number[]) => void): Promise<readonly number[]> {
  const until = performance.now() + forMs;
  for (;;) {
    const left = await findSurvivors(lineage);
    if (left.length === 0) return left;
    end(left);
    if (performance.now() >= until) return left;
    await wait(LOOK_EVERY_MS);
  }
}
