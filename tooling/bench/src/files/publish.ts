import { rmSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces } from "@massgen/workspace";
import type { BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { changeFiles, copyByHand, inTempFolder, writeFiles } from "./trees.js";

const BYTES = 10_000;

/** A version of a thousand files of which three have changed. */
export function timePublish({ quick, pairs }: BenchmarkOptions): Promise<readonly Metric[]> {
  const count = quick ? 50 : 1000;
  return inTempFolder(async (folder) => {
    const run = await createWorkspaces({
      baseDir: join(folder, ".massgen"),
      runId: "bench",
      agents: [{ id: "ada", anon: "agent1", cwd: "work" }],
    });
    const { root, publish } = await run.open("ada");
    writeFiles(root, count, BYTES);
    await publish();
    let round = 0;
    const taken = await measurePairs(
      async () => {
        changeFiles(root, count, Math.ceil(count / 3), BYTES, ++round);
        const ms = await wallMs(publish);
        await run.prune([]);
        return ms;
      },
      async () => {
        const to = join(folder, "copy");
        const ms = await wallMs(async () => copyByHand(root, to));
        rmSync(to, { recursive: true });
        return ms;
      },
      pairs,
    );
    await run.close();
    const name = { bench: "snapshot.publish", variant: `${count} files, 3 changed`, metric: "wall time", unit: "ms" };
    return [
      timed(
        name,
        comparePairs(taken, (ms) => ms),
        { must: 0.25, aim: 0.08 },
      ),
    ];
  });
}

export async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
