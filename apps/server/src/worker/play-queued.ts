import { answerRequest, decideReview } from "@massgen/client";
import { MassgenError } from "@massgen/contracts";
import { prepareStoredRun, type RunningRun } from "@massgen/sdk";
import type { HeardMessage, TakenRun } from "@massgen/store-postgres";
import { z } from "zod";
import { ApiError } from "../errors.js";
import { observed } from "../observed.js";
import { createReviewDesk } from "../review/review-desk.js";
import { type QueuedResult, queuedRequest, readQueuedView, resultOf } from "../runs/queued-summary.js";
import { createWaitingRequests, type WaitingRequests } from "../runs/waiting-requests.js";
import type { Teams } from "../teams.js";
import { historyOf } from "./history-of.js";
import { keepFiles } from "./keep-files.js";
import type { RunWorkerOptions } from "./options.js";
import { type DeltaRelay, relayDeltas } from "./relay-deltas.js";
import { type ReviewTelling, tellReview } from "./tell-review.js";

/** Plays a run from where its log stops, as it would play here from the beginning. */
export async function playQueued(
  { run, store, putFile, putReview, turnsBefore, messages, sendDeltas }: TakenRun,
  options: Pick<RunWorkerOptions, "cwd" | "env" | "fetch" | "observeRun" | "version" | "keepsFiles" | "onNote">,
  teams: Teams,
): Promise<QueuedResult> {
  const { question, model, build, answersRequests, reviewsChanges } = queuedRequest.parse(run.request);
  const { team, modulesFrom } = await teams.find(model, build).catch((error: unknown) => {
    throw error instanceof ApiError ? new MassgenError("CONFIG_INVALID", error.message, { exitCode: 1 }) : error;
  });
  const desk = reviewsChanges ? createReviewDesk() : null;
  const requests = answersRequests ? createWaitingRequests() : null;
  /** What passed before a fact is on its way before the fact is. */
  let relay: DeltaRelay | null = null;
  const stop = new AbortController();
  const over = new AbortController();
  const unheard = await prepareStoredRun({
    runId: run.id,
    store: { read: store.read, append: (...args) => (relay?.flush() ?? Promise.resolve()).then(() => store.append(...args)) },
    question,
    loaded: team.loaded,
    rateLimits: team.rateLimits,
    prices: team.prices,
    env: options.env,
    cwd: options.cwd,
    modulesFrom,
    signal: stop.signal,
    ...(options.keepsFiles
      ? { logs: { cwd: options.cwd, version: options.version, configPath: team.path, cliArgs: { command: "worker", model } } }
      : {}),
    history: await historyOf({ turnsBefore, store }),
    ...(requests === null ? {} : { human: requests.broker }),
    ...(desk === null ? {} : { reviewChanges: desk.reviewChanges }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const prepared = observed(unheard, options.observeRun);
  try {
    const running = prepared.start();
    const telling = tellReview({ desk, redact: prepared.redact, put: (review) => putReview(review) });
    relay = relayDeltas(running, { send: sendDeltas, redact: prepared.redact });
    const heard = listen(messages(over.signal), { running, stop, requests, relay, telling });
    const finished = await running.finished.finally(() => over.abort());
    await telling.ended(finished);
    await Promise.all([heard, relay.done]);
    if (prepared.logDirectory !== null) await keepFilesOf(prepared.logDirectory, run.id, putFile, options.onNote);
    return resultOf(await readQueuedView({ id: run.id, startedAtMs: run.startedAtMs ?? 0 }, store));
  } finally {
    over.abort();
  }
}

/** A result is not lost with its files. */
async function keepFilesOf(folder: string, runId: string, putFile: TakenRun["putFile"], onNote: (message: string) => void): Promise<void> {
  try {
    const left = await keepFiles(folder, putFile);
    if (left !== null) onNote(`run ${runId}: ${left}`);
  } catch (error) {
    onNote(`run ${runId}: its files stay in ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Listening {
  readonly running: RunningRun;
  readonly stop: AbortController;
  readonly requests: WaitingRequests | null;
  readonly relay: DeltaRelay;
  readonly telling: ReviewTelling;
}

/** What was said before this worker had the run, and taken then, is nothing a second time. */
async function listen(messages: AsyncIterable<HeardMessage>, listening: Listening): Promise<void> {
  for await (const message of messages) {
    try {
      act(message, listening);
    } catch {
      // A server checks what it takes in; what another version of it let pass concerns nobody here.
    }
  }
}

function act(message: HeardMessage, { running, stop, requests, relay, telling }: Listening): void {
  if (message.kind === "cancel") stop.abort(new Error(message.reason));
  else if (message.kind === "answer_now") void running.answerNow(message.reason).catch(() => {});
  else if (message.kind === "watch") relay.watched();
  else if (message.kind === "input") {
    const { text, agent } = saidInput.parse(message.body);
    void running.send(text, { id: `message-${message.number}`, ...(agent === null ? {} : { agent }) }).catch(() => {});
  } else if (message.kind === "review") telling.decide(decideReview.parse(message.body));
  else if (message.kind === "reply") {
    const { requestId, reply } = saidReply.parse(message.body);
    requests?.answer(requestId, reply);
  }
}

const saidInput = z.object({ text: z.string(), agent: z.string().nullable() });
const saidReply = answerRequest.extend({ requestId: z.string() });
