import { createRedactor, secretsInEnvironment } from "@massgen/logs";
import { ApiError } from "../errors.js";
import type { ServerOptions } from "../options.js";
import type { RunEntry } from "../runs/run-entry.js";

/** All that has happened in a run so far, as one page that needs nothing else. A run at work is not waited for. */
export async function pageOf(entry: RunEntry, env: ServerOptions["env"], stopping: AbortSignal): Promise<string> {
  // What makes pages is loaded with the first of them.
  const { foldTurn, renderPage } = await import("@massgen/export");
  const [{ lastSeq }, { simulated }] = await Promise.all([entry.view(), entry.summary()]);
  if (lastSeq === 0) throw new ApiError(409, `The run ${entry.id} has not begun: there is nothing to export yet.`, { code: "not_begun" });
  const redactor = createRedactor(secretsInEnvironment(env));
  const turn = await foldTurn({ turn: 1, folder: "" }, factsOf(entry, lastSeq, stopping), redactor);
  return renderPage({ name: entry.id, folder: "", simulated, turns: [turn] });
}

async function* factsOf(entry: RunEntry, lastSeq: number, stopping: AbortSignal) {
  for await (const event of entry.events(0, stopping, true)) {
    if (!("seq" in event)) continue;
    yield [event];
    if (event.seq >= lastSeq) return;
  }
}
