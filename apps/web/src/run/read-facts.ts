import type { MassgenClient } from "@massgen/client";
import type { Recorded } from "@massgen/contracts";

/** The first `count` facts of a run, or all of them where it has fewer: a run that goes on is not waited for. */
export async function readFacts(client: MassgenClient, id: string, count: number, signal?: AbortSignal): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  if (count <= 0) return found;
  for await (const event of client.watch(id, { factsOnly: true, ...(signal === undefined ? {} : { signal }) })) {
    if ("seq" in event) found.push(event);
    if (found.length >= count) break;
  }
  return found;
}
