import { type Environment, type LoadedConfig, type MassgenConfig, requireConfig } from "@massgen/config";
import type { RunEvent } from "@massgen/contracts";
import { type Coordination, coordinate, type HistoryMessage } from "@massgen/core";
import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { buildAgents } from "./build-agents.js";
import { finishedRun } from "./finished-run.js";
import { policyFromConfig } from "./policy-from-config.js";
import type { FinishedRun } from "./result.js";

/** Everything a run is made of, decided: nothing is looked up any more. */
export interface RunPlan {
  readonly question: string;
  readonly loaded: LoadedConfig;
  readonly env: Environment;
  readonly history?: readonly HistoryMessage[];
  readonly signal?: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  /** Gets every event; an error it throws cancels the run and rejects `finished`. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A run that is ready to go: config, keys and log folder are good, no model has been called. */
export interface PreparedRun {
  readonly config: MassgenConfig;
  /** Absolute; `null` without logs. */
  readonly logDirectory: string | null;
  readonly statusFile: string | null;
  /** Begins. May be called once. */
  readonly start: () => RunningRun;
}

/** Every iteration gets all facts from the first one on and the deltas that pass. Leaving it does not stop the run. */
export interface RunningRun extends AsyncIterable<RunEvent> {
  /** Resolves when everything is on disk, whatever came of the run. Rejects only when the run could not go on at all. */
  readonly finished: Promise<FinishedRun>;
}

/** @throws MassgenError for a config, a key or a log folder that is not good; no model has been called then */
export async function prepareRun(plan: RunPlan): Promise<PreparedRun> {
  const config = requireConfig(plan.loaded);
  const ambient = plan.fetch === undefined ? {} : { fetch: plan.fetch };
  const { agents } = await buildAgents(config, plan.env, ambient);

  const start = (): RunningRun => {
    const stop = new AbortController();
    const signal = plan.signal === undefined ? stop.signal : AbortSignal.any([plan.signal, stop.signal]);
    const startedMs = performance.now();
    const run = coordinate({
      question: plan.question,
      agents,
      ...policyFromConfig(config),
      signal,
      ambient,
      ...(plan.history === undefined ? {} : { history: plan.history }),
    });
    const finished = finish(run, stop);
    // Who only iterates learns of a failure there.
    finished.catch(() => {});
    return { finished, [Symbol.asyncIterator]: () => run[Symbol.asyncIterator]() };

    async function finish(run: Coordination, stop: AbortController): Promise<FinishedRun> {
      try {
        const view = await watch(run, stop);
        return finishedRun(view, await run.outcome, null, performance.now() - startedMs, run.runId);
      } finally {
        await Promise.all(agents.map((agent) => agent.backend.dispose()));
      }
    }
  };

  /** Follows the run to its end, also when the caller's own function fails. */
  async function watch(run: Coordination, stop: AbortController): Promise<RunView> {
    let view = emptyRunView;
    let fault: { readonly error: unknown } | null = null;
    for await (const event of run) {
      if ("seq" in event) view = foldRecord(view, event);
      if (fault !== null) continue;
      try {
        plan.onEvent?.(event);
      } catch (error) {
        fault = { error };
        stop.abort(new Error("onEvent failed"));
      }
    }
    if (fault !== null) throw fault.error;
    return view;
  }

  return { config, logDirectory: null, statusFile: null, start };
}
