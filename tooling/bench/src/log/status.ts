import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openRunLog } from "@massgen/logs";
import { virtualClock } from "@massgen/testing";
import { inTempFolder } from "../files/trees.js";
import { counted, type Metric } from "../harness/metric.js";
import { decisionsOf } from "./facts.js";

const RUN = "20260102_101529_000000";
/** 500 tokens a second, ten at a time. */
const STEP_MS = 20;
const TEN_TOKENS = "so it goes and on it goes until the end.";
/** Readers look about as often; more would be work for nobody. */
const SHORTEST_MS = 500;
const PATIENCE_MS = 20;

/** Writes of `status.json` while an agent speaks without a pause, over the number that one every 500 ms makes. */
export function countStatusWrites(seconds: number): Promise<Metric> {
  return inTempFolder(async (folder) => {
    const [begin] = decisionsOf(RUN, 1);
    const start = begin?.find((fact) => fact.type === "run_started");
    const [speaker] = start?.agents ?? [];
    if (begin === undefined || start === undefined || speaker === undefined) throw new Error("a run begins with its start");
    const clock = virtualClock(start.at);
    const common = { question: start.question, runId: RUN, seed: 1, agents: start.agents, clock, zone: () => 0 };
    const log = await openRunLog({ ...common, version: "0.0.0", cwd: folder });
    await log.store.append(RUN, 0, begin, "flushed");
    for (const record of begin) log.watch(record);
    const file = join(log.root, "status.json");
    let writes = 0;
    let known = await versionOf(file);
    let sinceMs = 0;
    for (let elapsedMs = 0; elapsedMs < seconds * 1000; elapsedMs += STEP_MS) {
      log.watch({ type: "content_delta", agent: speaker.id, channel: "work", text: TEN_TOKENS });
      await clock.advance(STEP_MS);
      // A file is replaced whole, so each write is another file.
      sinceMs += STEP_MS;
      const now = await (sinceMs % SHORTEST_MS === 0 ? nextVersion(file, known) : versionOf(file));
      if (now === known) continue;
      writes += 1;
      [known, sinceMs] = [now, 0];
    }
    await log.finish();
    const limit = (seconds * 1000) / SHORTEST_MS;
    const name = { bench: "log.status", variant: `${seconds} s at 500 tokens/s`, metric: "writes of status.json", unit: "" };
    return counted(name, { ours: writes, floor: limit }, { must: 1, aim: 1 });
  });
}

/** The clock of the run does not know how long a disk takes: where a write may be due it gets some real time. */
async function nextVersion(file: string, known: string | null): Promise<string | null> {
  for (let tries = 0; tries < PATIENCE_MS; tries += 1) {
    const now = await versionOf(file);
    if (now !== known) return now;
    await pause(1);
  }
  return known;
}

/** `null` while it is not there. */
const versionOf = (file: string): Promise<string | null> =>
  stat(file, { bigint: true }).then(
    ({ ino, mtimeNs }) => `${ino} ${mtimeNs}`,
    () => null,
  );
