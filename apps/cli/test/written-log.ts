import type { Recorded } from "@massgen/contracts";
import { type EventsFileStore, openRunLog } from "@massgen/logs";
import { virtualClock } from "@massgen/testing";

/** The log folder of a run, with all its files, as the program would have left it. `finished: false`: as a kill leaves it. */
export async function writtenLog(
  cwd: string,
  records: readonly Recorded[],
  { finished = true, simulated = false }: { readonly finished?: boolean; readonly simulated?: boolean } = {},
): Promise<string> {
  const [start] = records;
  if (start?.type !== "run_started") throw new Error("a run begins with its start");
  const log = await openRunLog({
    question: start.question,
    runId: start.runId,
    seed: start.seed,
    agents: start.agents,
    clock: virtualClock(start.at),
    version: "1.2.3",
    cwd,
    zone: () => 0,
    simulated,
  });
  let decision: Recorded[] = [];
  for (const record of records) {
    decision.push(record);
    if (!record.closes) continue;
    await log.store.append(record.runId, decision[0]!.seq - 1, decision, "flushed");
    for (const each of decision) log.watch(each);
    decision = [];
  }
  if (finished) await log.finish();
  // The store of a log is one of files; its type does not say so, because nobody but the log closes it.
  else await (log.store as EventsFileStore).close();
  return log.root;
}
