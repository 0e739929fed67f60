import { join, resolve } from "node:path";
import type { RunList, RunSummary } from "@massgen/client";
import { type LogEntry, logNames, readLogEntry } from "@massgen/logs";
import { findSession, type RunOptions, sessionPlaces, startConversation } from "@massgen/sdk";
import type { Admission } from "../admission.js";
import { ApiError, errorOfRun } from "../errors.js";
import { pathsHider } from "../hide-paths.js";
import type { Metrics } from "../metrics.js";
import { observed } from "../observed.js";
import type { ServerOptions } from "../options.js";
import { createReviewDesk } from "../review/review-desk.js";
import type { Teams } from "../teams.js";
import { type LiveRun, startLiveRun } from "./live-run.js";
import { openLoggedRun, summaryOfLog } from "./logged-run.js";
import type { RunEntry } from "./run-entry.js";
import { createWaitingRequests } from "./waiting-requests.js";

/** Runs of this process that are over and still known by what was in memory; older ones are read from their logs. */
const KEPT_AFTER_END = 50;

interface Beginning {
  readonly question: string;
  readonly model: string;
  /** Of `massgen/build`. */
  readonly build?: unknown;
  readonly sessionId: string | null;
  /** Files and folders of this machine for its agents. Default: those of the config alone. */
  readonly contextPaths?: NonNullable<RunOptions["contextPaths"]>;
  /** Somebody answers when a person's consent is wanted. Default: nobody does. */
  readonly answersRequests?: boolean;
  /** Somebody looks at what the presenter changed in files before it is brought. Default: it is brought. */
  readonly reviewsChanges?: boolean;
  /** Name of the key it was asked for with; runs of a queue take turns by it. */
  readonly key?: string | null;
}

/** Every run that this server can show. */
export interface Runs {
  /** Resolves when the run has begun. @throws ApiError */
  start(beginning: Beginning): Promise<RunSummary>;
  find(id: string): Promise<RunEntry | null>;
  /** Newest first. */
  list(limit: number, offset: number): Promise<RunList>;
  /** Resolves when what came of the runs that are over is kept, the turns of their conversations too. */
  kept(): Promise<void>;
}

interface Setting {
  readonly options: ServerOptions;
  readonly teams: Teams;
  readonly admission: Admission;
  readonly metrics: Metrics;
  /** Aborted when running requests are given up. */
  readonly stopping: AbortSignal;
}

/** Runs in this process, their logs on its disk. */
export function openRuns({ options, teams, admission, metrics, stopping }: Setting): Runs {
  const live = new Map<string, LiveRun>();
  const ended: string[] = [];
  const closing = new Set<Promise<void>>();
  const base = resolve(options.cwd, options.env["MASSGEN_LOG_BASE_DIR"] || join(".massgen", "massgen_logs"));

  async function begin({
    question,
    model,
    build = null,
    sessionId,
    answersRequests = false,
    reviewsChanges = false,
    contextPaths = [],
  }: Beginning): Promise<LiveRun> {
    const { team, modulesFrom } = await teams.find(model, build, contextPaths.length === 0 ? {} : { contextPaths });
    const where = { cwd: options.cwd, env: { ...options.env, HOME: options.home } };
    const keep = sessionId === null ? null : { places: sessionPlaces(where), session: await findSession(sessionId, where), id: sessionId };
    const conversation = startConversation({
      loaded: team.loaded,
      rateLimits: team.rateLimits,
      prices: team.prices,
      env: options.env,
      cwd: options.cwd,
      modulesFrom,
      logs: options.keepLogs
        ? {
            cwd: options.cwd,
            version: options.version,
            configPath: team.path,
            cliArgs: { command: "serve", model, ...(reviewsChanges ? { review: true } : {}) },
          }
        : null,
      keep,
      isOneShot: sessionId === null,
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
    const stop = new AbortController();
    const requests = answersRequests ? createWaitingRequests() : null;
    const desk = reviewsChanges ? createReviewDesk() : null;
    const turn = conversation.turns.length + 1;
    try {
      const unheard = await conversation.prepare(question, {
        signal: AbortSignal.any([stop.signal, stopping]),
        ...(requests === null ? {} : { human: requests.broker }),
        ...(desk === null ? {} : { reviewChanges: desk.reviewChanges }),
      });
      const prepared = observed(unheard, options.observeRun);
      const run = startLiveRun({
        prepared,
        question,
        sessionId,
        model,
        turn: sessionId === null ? null : turn,
        stop,
        requests,
        desk,
        env: options.env,
        close: () => prepared.saved.catch(() => {}).then(() => conversation.close()),
      });
      closing.add(run.kept);
      void run.kept.then(() => closing.delete(run.kept));
      return run;
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }

  function forget(id: string): void {
    ended.push(id);
    for (const old of ended.splice(0, Math.max(0, ended.length - KEPT_AFTER_END))) live.delete(old);
  }

  return {
    async start(beginning) {
      const leave = admission.enter();
      try {
        const run = await begin(beginning);
        live.set(run.id, run);
        // A person may take their time; the run is over.
        void run.reviewOpened?.then(leave);
        run.finished
          .then(metrics.ended, () => {})
          .finally(() => {
            leave();
            forget(run.id);
          });
        return await run.summary();
      } catch (error) {
        leave();
        throw errorOfRun(error, pathsHider(options));
      }
    },

    kept: async () => void (await Promise.allSettled(closing)),

    find: async (id) => live.get(id) ?? (await atWorkIn(id)) ?? openLoggedRun(base, id, { ...options, stopping }),

    async list(limit, offset) {
      const names = await logNames(base);
      const unlogged = [...live.values()].filter(({ isLogged }) => !isLogged).toReversed();
      const entries = await Promise.all(
        names.slice(Math.max(0, offset - unlogged.length), Math.max(0, offset + limit - unlogged.length)).map((name) => summary(name)),
      );
      const shown = await Promise.all(unlogged.slice(offset, offset + limit).map((run) => run.summary()));
      return { runs: [...shown, ...entries], total: names.length + unlogged.length };
    },
  };

  async function summary(name: string): Promise<RunSummary> {
    const entry: LogEntry = await readLogEntry(join(base, name));
    const run = live.get(name) ?? (await atWorkIn(name));
    return run === null || run === undefined ? summaryOfLog(entry) : { ...(await run.summary()), id: name };
  }

  /** A log named without a turn stands for its newest: the one at work here can be steered, which its files cannot. */
  async function atWorkIn(name: string): Promise<LiveRun | null> {
    const run = [...live.values()].findLast(({ logName }) => logName === name);
    const state = (await run?.summary())?.state;
    return run !== undefined && (state === "running" || state === "waiting_for_review") ? run : null;
  }
}

export const notFound = (id: string): ApiError =>
  new ApiError(404, `There is no run ${JSON.stringify(id.slice(0, 100))}.`, { param: "id", code: "run_not_found" });
