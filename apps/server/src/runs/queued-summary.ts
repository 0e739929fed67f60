import { type RunSummary, runSummary } from "@massgen/client";
import type { QueuedRun, RunQueue } from "@massgen/store-postgres";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { z } from "zod";
import { stateOf } from "./run-state.js";
import { startableName } from "./team-of-log.js";

/** What a worker is told of a run: names, never keys or configs. */
export const queuedRequest = z.object({
  question: z.string(),
  model: z.string(),
  build: z.unknown(),
  answersRequests: z.boolean().default(false),
  reviewsChanges: z.boolean().default(false),
});

const queuedResult = runSummary.pick({ state: true, agents: true, winner: true, costUsd: true, tokens: true });
/** What a worker says of a run that is over, so that no log is read again for a list. */
export type QueuedResult = z.infer<typeof queuedResult>;

/** The same, from the log of a run; one whose log has no end has failed. */
export const resultOf = ({ state: { status, order, decision, spent } }: RunView): QueuedResult => ({
  state: status === null ? "error" : stateOf(status),
  agents: [...order],
  winner: decision?.winner ?? null,
  costUsd: spent.costUsd,
  tokens: { input: spent.inputTokens, output: spent.outputTokens },
});

export async function readQueuedView(run: Pick<QueuedRun, "id" | "startedAtMs">, store: RunQueue["store"]): Promise<RunView> {
  let view = emptyRunView;
  if (run.startedAtMs === null) return view;
  for await (const record of store.read(run.id)) view = foldRecord(view, record);
  return view;
}

/** A run that is over as its worker told it; any other, and one whose worker could not tell, as its log does. */
export async function readSummary(run: QueuedRun, store: RunQueue["store"]): Promise<RunSummary> {
  const told = run.endedAtMs === null ? null : queuedResult.safeParse(run.result);
  if (told?.success === true) return summaryOf(run, told.data, run.endedAtMs);
  const view = await readQueuedView(run, store);
  const isOver = view.state.status !== null || run.endedAtMs !== null;
  const state = isOver ? resultOf(view).state : run.startedAtMs === null ? "queued" : "running";
  return summaryOf(run, { ...resultOf(view), state }, run.endedAtMs ?? (isOver ? view.lastAt : null));
}

/** `endedAtMs`: `null` while it is not over. */
function summaryOf(run: QueuedRun, result: QueuedResult, endedAtMs: number | null): RunSummary {
  const request = queuedRequest.safeParse(run.request).data;
  return {
    id: run.id,
    ...result,
    question: request?.question ?? null,
    model: request === undefined ? null : startableName(request.model),
    startedAtMs: run.startedAtMs ?? run.createdAtMs,
    durationMs: run.startedAtMs === null ? null : Math.max(0, (endedAtMs ?? Date.now()) - run.startedAtMs),
    sessionId: run.sessionId,
    simulated: false,
  };
}
