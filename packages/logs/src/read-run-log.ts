import { basename, dirname, resolve } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { eventFilesIn } from "./attempts/attempt-folders.js";
import { readDecisions } from "./events/read-decisions.js";
import { recoverCommits } from "./events/recover-commits.js";

/**
 * All records of a log folder (or of its `events.jsonl`), of all its attempts, the texts of answers included. A decision that a crash tore is
 * left out; facts of newer versions are there and change nothing when folded.
 *
 * @throws MassgenError `STORE_FAILED` when there is no log or it is damaged in its middle.
 */
export async function readRunLog(path: string): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for await (const decision of decisionsIn(path)) records.push(...decision);
  return records;
}

/** The same, decision by decision: a log of a million records is folded in the memory of one. */
export async function* decisionsIn(path: string): AsyncGenerator<readonly Recorded[]> {
  const folder = basename(path) === "events.jsonl" ? dirname(resolve(path)) : resolve(path);
  const files = await eventFilesIn(folder);
  const [first] = files;
  if (first === undefined) {
    throw new MassgenError("STORE_FAILED", `There is no log in ${folder}: it has no events.jsonl.`, {
      hint: "Give the folder that the run printed as LOG_DIR.",
    });
  }
  await recoverCommits(dirname(dirname(first)));
  for (const file of files) for await (const decisions of readDecisions(file)) for (const { records } of decisions) yield records;
}
