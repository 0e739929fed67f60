import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { eventFilesIn } from "../attempts/attempt-folders.js";
import { isLocked } from "../events/lock-file.js";
import { readDecisions } from "../events/read-decisions.js";

/** How often a log that is being written is looked at. */
const POLL_MS = 200;

/**
 * The decisions of a log folder (of all its attempts), and then those that come while a living process writes it. Ends
 * with the run, when nobody writes any more, or with `signal`. One decision at a time is in memory.
 *
 * @throws MassgenError `STORE_FAILED` when there is no log or it is damaged in its middle
 */
export async function* followLog(folder: string, signal: AbortSignal): AsyncGenerator<readonly Recorded[]> {
  const root = resolve(folder);
  const isWritten = async (): Promise<boolean> => (await eventFilesIn(root)).some(isLocked);
  if ((await eventFilesIn(root)).length === 0)
    throw new MassgenError("STORE_FAILED", `There is no log in ${root}: it has no events.jsonl.`, {
      hint: "Give the folder that the run printed as LOG_DIR.",
    });
  let place = 0;
  let position = 0;
  for (;;) {
    // Asked before reading: what was written until then is then read, so that the last words are not missed.
    const goesOn = await isWritten();
    for (;;) {
      const files = await eventFilesIn(root);
      const file = files[place];
      if (file === undefined) break;
      for await (const decisions of readDecisions(file, position)) {
        for (const { records, end } of decisions) {
          if (signal.aborted) return;
          position = end;
          yield records;
          if (records.at(-1)?.type === "run_finished") return;
        }
      }
      if (place + 1 >= files.length) break;
      place += 1;
      position = 0;
    }
    if (!goesOn || signal.aborted) return;
    await wait(POLL_MS, undefined, { signal, ref: true }).catch(() => {});
  }
}
