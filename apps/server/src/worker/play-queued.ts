import { MassgenError } from "@massgen/contracts";
import { prepareStoredRun, type RunningRun } from "@massgen/sdk";
import type { RunMessage, TakenRun } from "@massgen/store-postgres";
import { ApiError } from "../errors.js";
import { observed } from "../observed.js";
import type { ServerOptions } from "../options.js";
import { type QueuedResult, queuedRequest, readQueuedView, resultOf } from "../runs/queued-summary.js";
import type { Teams } from "../teams.js";

/** Plays a run from where its log stops, as it would play here from the beginning. */
export async function playQueued(
  { run, store, messages }: TakenRun,
  options: Pick<ServerOptions, "cwd" | "env" | "fetch" | "observeRun">,
  teams: Teams,
): Promise<QueuedResult> {
  const { question, model, build } = queuedRequest.parse(run.request);
  const { team, modulesFrom } = await teams.find(model, build).catch((error: unknown) => {
    throw error instanceof ApiError ? new MassgenError("CONFIG_INVALID", error.message, { exitCode: 1 }) : error;
  });
  const stop = new AbortController();
  const over = new AbortController();
  const unheard = await prepareStoredRun({
    runId: run.id,
    store,
    question,
    loaded: team.loaded,
    rateLimits: team.rateLimits,
    prices: team.prices,
    env: options.env,
    cwd: options.cwd,
    modulesFrom,
    signal: stop.signal,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const prepared = observed(unheard, options.observeRun);
  try {
    const running = prepared.start();
    const heard = listen(messages(over.signal), running, stop);
    await running.finished.finally(() => over.abort());
    await heard;
    return resultOf(await readQueuedView({ id: run.id, startedAtMs: run.startedAtMs ?? 0 }, store));
  } finally {
    over.abort();
  }
}

async function listen(messages: AsyncIterable<RunMessage>, running: RunningRun, stop: AbortController): Promise<void> {
  for await (const { kind, reason } of messages) {
    if (kind === "cancel") stop.abort(new Error(reason));
    // Said before this worker had the run, and taken then: a second time it is nothing.
    else void running.answerNow(reason).catch(() => {});
  }
}
