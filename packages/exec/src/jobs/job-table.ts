import { randomBytes } from "node:crypto";
import type { ProcessResult, RunningProcess } from "../process/start-process.js";
import type { CommandRunner } from "../tools/command-runner.js";
import { createLineLog, type LineLog, type LinesRead } from "./line-log.js";

export type JobState = "running" | "stopped" | "failed" | "killed";

export interface JobView {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly state: JobState;
  /** `null` while it runs, and when a signal ended it. */
  readonly exitCode: number | null;
  readonly runningForMs: number;
}

/** Running jobs of a whole run, shared by the tables of its agents. */
export interface JobQuota {
  take(): boolean;
  giveBack(): void;
}

export function createJobQuota(perRun = 40): JobQuota {
  let taken = 0;
  return {
    take() {
      if (taken >= perRun) return false;
      taken += 1;
      return true;
    },
    giveBack() {
      taken -= 1;
    },
  };
}

export interface JobTableOptions {
  readonly runner: CommandRunner;
  readonly quota: JobQuota;
  /** Running jobs this agent may have. Default 10. */
  readonly perAgent?: number;
}

export interface StartJob {
  readonly command: string;
  readonly workDir: string;
  readonly description: string;
}

/** The background jobs of one agent. Ids of other agents are unknown here. */
export interface JobTable {
  /** Rejects with a sentence for the model at the limit, or when the command cannot be started. */
  start(job: StartJob): Promise<JobView>;
  view(id: string): JobView | null;
  list(): readonly JobView[];
  /** Lines after `since`, by default after those read last, at most so many characters. `null` for an unknown id. */
  read(id: string, since: number | null, maxCharacters?: number): LinesRead | null;
  /** Resolves when there is something after `since`, the job is over, or `signal` aborts. */
  untilNews(id: string, since: number | null, signal: AbortSignal): Promise<void>;
  untilEnded(ids: readonly string[], mode: "any" | "all", signal: AbortSignal): Promise<void>;
  kill(id: string): Promise<JobView | null>;
  /** Jobs that ended by themselves and were not told of yet: each once. */
  takeEnded(): readonly JobView[];
  /** Ends all, at the end of a round or of the run. */
  endAll(): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly process: RunningProcess;
  readonly log: LineLog;
  readonly startedAt: number;
  readonly ended: Promise<void>;
  result: ProcessResult | null;
  readTo: number;
  wasTold: boolean;
  listeners: Set<() => void>;
}

/** Ended jobs stay readable; of these only the newest, so that a long run does not keep every output. */
const KEPT_WHEN_ENDED = 20;

export function createJobTable(options: JobTableOptions): JobTable {
  const perAgent = options.perAgent ?? 10;
  const jobs = new Map<string, Job>();
  let starting = 0;
  const running = (): number => [...jobs.values()].filter((job) => job.result === null).length + starting;

  const forget = (): void => {
    const over = [...jobs.values()].filter((job) => job.result !== null);
    for (const job of over.slice(0, Math.max(0, over.length - KEPT_WHEN_ENDED))) jobs.delete(job.id);
  };

  const launch = async (request: StartJob): Promise<Job> => {
    const log = createLineLog();
    const listeners = new Set<() => void>();
    const announce = (): void => {
      for (const listener of listeners) listener();
    };
    const process = await options.runner.start({
      command: request.command,
      workDir: request.workDir,
      timeoutMs: null,
      keepBytes: 0,
      onChunk: (stream, chunk) => {
        log.add(stream, chunk);
        announce();
      },
    });
    const ended = process.ended.then((result) => {
      log.end();
      job.result = result;
      options.quota.giveBack();
      announce();
      forget();
    });
    const { command, description } = request;
    const id = `bg_${randomBytes(4).toString("hex")}`;
    const job: Job = {
      ...{ id, command, description, process, log, ended, listeners },
      ...{ startedAt: performance.now(), result: null, readTo: 0, wasTold: false },
    };
    return job;
  };

  const untilAnnounced = async (job: Job, isDone: () => boolean, signal: AbortSignal): Promise<void> => {
    if (isDone() || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isDone() && !signal.aborted) return;
        job.listeners.delete(look);
        signal.removeEventListener("abort", look);
        resolve();
      };
      job.listeners.add(look);
      signal.addEventListener("abort", look);
    });
  };

  return {
    async start(request) {
      if (running() >= perAgent) throw new Error(`You have ${perAgent} background jobs running already: end one with job_kill first.`);
      if (!options.quota.take()) throw new Error("All agents together have too many background jobs running: wait for one to end.");
      starting += 1;
      try {
        const job = await launch(request);
        jobs.set(job.id, job);
        return viewOf(job);
      } catch (error) {
        options.quota.giveBack();
        throw error;
      } finally {
        starting -= 1;
      }
    },
    view: (id) => viewOrNull(jobs.get(id)),
    list: () => [...jobs.values()].map(viewOf),
    read(id, since, maxCharacters) {
      const job = jobs.get(id);
      if (job === undefined) return null;
      const read = job.log.readSince(since ?? job.readTo, maxCharacters);
      job.readTo = Math.max(job.readTo, read.next);
      if (job.result !== null) job.wasTold = true;
      return read;
    },
    async untilNews(id, since, signal) {
      const job = jobs.get(id);
      if (job === undefined) return;
      const from = since ?? job.readTo;
      await untilAnnounced(job, () => job.result !== null || job.log.readSince(from, 1).next > from, signal);
    },
    async untilEnded(ids, mode, signal) {
      const named = ids.flatMap((id) => jobs.get(id) ?? []);
      const done = new AbortController();
      const waits = named.map((job) => untilAnnounced(job, () => job.result !== null, AbortSignal.any([signal, done.signal])));
      if (waits.length > 0) await (mode === "any" ? Promise.race(waits) : Promise.all(waits));
      done.abort();
    },
    async kill(id) {
      const job = jobs.get(id);
      if (job === undefined) return null;
      await job.process.end();
      await job.ended;
      job.wasTold = true;
      return viewOf(job);
    },
    takeEnded() {
      const news = [...jobs.values()].filter((job) => job.result !== null && !job.wasTold);
      for (const job of news) job.wasTold = true;
      return news.map(viewOf);
    },
    async endAll() {
      await Promise.all(
        [...jobs.values()].map(async (job) => {
          await job.process.end();
          await job.ended;
        }),
      );
      jobs.clear();
    },
  };
}

const viewOrNull = (job: Job | undefined): JobView | null => (job === undefined ? null : viewOf(job));

function viewOf({ id, command, description, startedAt, result }: Job): JobView {
  return {
    id,
    command,
    description,
    state: stateOf(result),
    exitCode: result?.exitCode ?? null,
    runningForMs: result?.wallMs ?? performance.now() - startedAt,
  };
}

function stateOf(result: ProcessResult | null): JobState {
  if (result === null) return "running";
  if (result.endedBy === "kill" || result.endedBy === "abort") return "killed";
  return result.exitCode === 0 && result.endedBy === "itself" ? "stopped" : "failed";
}
