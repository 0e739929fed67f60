import type { RunList } from "@massgen/client";
import { newRunId } from "@massgen/sdk";
import type { QueuedRun, RunQueue } from "@massgen/store-postgres";
import type { Admission } from "../admission.js";
import { ApiError, errorOfRun } from "../errors.js";
import { queuedReview } from "../review/queued-review.js";
import type { Teams } from "../teams.js";
import { storedArtefacts } from "./artefacts.js";
import type { Runs } from "./open-runs.js";
import { eventsOf, factsOf } from "./queued-events.js";
import { queuedRequest, readQueuedView, readSummary } from "./queued-summary.js";
import { type RunEntry, unknownAgent } from "./run-entry.js";

interface Setting {
  readonly queue: RunQueue;
  /** Runs that may wait for a worker; more are refused with 429. */
  readonly mostWaiting: number;
  readonly teams: Teams;
  readonly admission: Admission;
  readonly hidePaths: (text: string) => string;
}

/** Runs of all servers and workers on one database; none is played here. */
export function openQueuedRuns({ queue, mostWaiting, teams, admission, hidePaths }: Setting): Runs {
  return {
    async start({ question, model, build = null, sessionId, answersRequests = false, reviewsChanges = false, key = null }) {
      const leave = admission.enter();
      try {
        // Refused here, where somebody reads it, and not by the worker.
        await teams.find(model, build);
        const run = {
          id: newRunId(),
          key: key ?? "",
          sessionId,
          request: { question, model, build: JSON.parse(JSON.stringify(build)), answersRequests, reviewsChanges },
        };
        const added = await queue.add(run, mostWaiting);
        if (added !== "kept") throw added === "full" ? tooMany(mostWaiting) : atWork(sessionId ?? "");
        return readSummary({ ...run, createdAtMs: Date.now(), startedAtMs: null, endedAtMs: null, takes: 0, result: null }, queue.store);
      } catch (error) {
        throw errorOfRun(error, hidePaths);
      } finally {
        leave();
      }
    },

    // By the workers.
    kept: () => Promise.resolve(),

    async find(id) {
      const run = await queue.find(id);
      return run === null ? null : entryOf(id, queue, teams);
    },

    async list(limit, offset): Promise<RunList> {
      const { runs, total } = await queue.list(limit, offset);
      return { runs: await Promise.all(runs.map((run) => readSummary(run, queue.store))), total };
    },
  };
}

function entryOf(id: string, queue: RunQueue, teams: Teams): RunEntry {
  const found = async (): Promise<QueuedRun> => {
    const run = await queue.find(id);
    if (run === null) throw new ApiError(404, "The run is gone.", { param: "id", code: "run_not_found" });
    return run;
  };
  const isOver = async (): Promise<boolean> => (await readQueuedView(await found(), queue.store)).state.status !== null;
  const changes = queuedReview(id, { queue, found, isOver });
  return {
    id,
    artefacts: storedArtefacts(id, queue.files),
    view: async () => readQueuedView(await found(), queue.store),
    async summary() {
      const summary = await readSummary(await found(), queue.store);
      return summary.state === "completed" && (await changes.open()) !== null ? { ...summary, state: "waiting_for_review" } : summary;
    },
    events: (after, signal, factsOnly = false) => (factsOnly ? factsOf : eventsOf)(id, queue, after, signal),
    // The queue calls a run over when its worker has put everything away, which is later than its last fact.
    answerNow: async (reason) => !(await isOver()) && queue.say(id, { kind: "answer_now", reason }),
    cancel: async (reason) => (!(await isOver()) || (await changes.open()) !== null) && queue.say(id, { kind: "cancel", reason }),
    async sendInput(text, agent) {
      if (agent !== null) {
        const team = await teamOf(await found(), queue, teams);
        if (!team.includes(agent)) throw unknownAgent(agent, team);
      }
      return !(await isOver()) && queue.say(id, { kind: "input", body: { text, agent } });
    },
    // Answered once, whoever is first: the worker reads it as an answer to a request that is open.
    answerRequest: async (requestId, reply) =>
      (await isOpen(id, requestId, queue)) && queue.say(id, { kind: "reply", body: { requestId, reply } }, `reply:${requestId}`),
    review: () => changes.review(),
    decideReview: (decision) => changes.decide(decision),
  };
}

/** Ids of its agents: by its log, and before it has begun by its config. */
async function teamOf(run: QueuedRun, queue: RunQueue, teams: Teams): Promise<readonly string[]> {
  const { agents } = await readSummary(run, queue.store);
  if (agents.length > 0) return agents;
  const { model, build } = queuedRequest.parse(run.request);
  const { team } = await teams.find(model, build);
  return team.loaded.config?.agents.map(({ id }) => id) ?? [];
}

async function isOpen(id: string, requestId: string, queue: RunQueue): Promise<boolean> {
  let open = false;
  for await (const fact of queue.store.read(id)) {
    if (fact.type === "request_opened" && fact.request.id === requestId) open = true;
    if (fact.type === "request_closed" && fact.requestId === requestId) open = false;
  }
  return open;
}

const atWork = (sessionId: string): ApiError =>
  new ApiError(409, `The conversation ${sessionId} is at work on a question.`, { param: "sessionId", code: "in_use" });

const tooMany = (mostWaiting: number): ApiError =>
  new ApiError(429, `${mostWaiting} runs wait for a worker, as many as may.`, {
    code: "too_many_runs",
    headers: { "retry-after": "30" },
  });
