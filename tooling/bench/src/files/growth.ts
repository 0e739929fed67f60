import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces, recordChanges } from "@massgen/workspace";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { wallMs } from "./publish.js";
import { changeFiles, inTempFolder, writeFiles } from "./trees.js";

const BYTES = 1000;
const SMALLEST = 100;
/** Every so many-th file changes between the snapshot and the list of changes. */
const STEP = 50;

/** What a file costs in a workspace of many, over what it costs in one of few: first version, copy of how it was, list of changes. */
export async function timeGrowth({ quick, pairs, wants }: BenchmarkOptions): Promise<readonly Metric[]> {
  if (!wants("grow.files")) return [];
  const metrics: Metric[] = [];
  for (const count of quick ? [200] : [1000, 10_000]) {
    const taken = await measurePairs(
      () => perFile(count, 1),
      () => perFile(SMALLEST, quick ? 1 : Math.min(20, count / SMALLEST)),
      pairs,
    );
    const name = { bench: "grow.files", variant: `${count} files over ${SMALLEST}`, metric: "wall time of a file", unit: "µs" };
    metrics.push(
      timed(
        name,
        comparePairs(taken, (us) => us),
        { must: 1.3, aim: 1.1 },
      ),
    );
  }
  return metrics;
}

/** Microseconds. */
async function perFile(count: number, times: number): Promise<number> {
  let ms = 0;
  for (let time = 0; time < times; time++)
    await inTempFolder(async (folder) => {
      const run = await createWorkspaces({
        baseDir: join(folder, ".massgen"),
        runId: "bench",
        agents: [{ id: "ada", anon: "agent1", cwd: "work" }],
      });
      const { root, publish } = await run.open("ada");
      writeFiles(root, count, BYTES);
      const dir = join(folder, "before");
      mkdirSync(dir);
      ms += await wallMs(publish);
      const start = performance.now();
      const record = await recordChanges({ paths: [root], dir });
      ms += performance.now() - start;
      changeFiles(root, count, STEP, BYTES, 1);
      ms += await wallMs(() => record.changes());
      await run.close();
    });
  return (ms * 1000) / (count * times);
}
