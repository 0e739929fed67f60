import { answerRequest } from "@massgen/client";
import { MassgenError } from "@massgen/contracts";
import { prepareStoredRun, type RunningRun } from "@massgen/sdk";
import type { HeardMessage, TakenRun } from "@massgen/store-postgres";
import { z } from "zod";
import { ApiError } from "../errors.js";
import { observed } from "../observed.js";
import type { ServerOptions } from "../options.js";
import { type QueuedResult, queuedRequest, readQueuedView, resultOf } from "../runs/queued-summary.js";
import { createWaitingRequests, type WaitingRequests } from "../runs/waiting-requests.js";
import type { Teams } from "../teams.js";
import { historyOf } from "./history-of.js";
import { type DeltaRelay, relayDeltas } from "./relay-deltas.js";

/** Plays a run from where its log stops, as it would play here from the beginning. */
export async function playQueued(
  { run, store, turnsBefore, messages, sendDeltas }: TakenRun,
  options: Pick<ServerOptions, "cwd" | "env" | "fetch" | "observeRun">,
  teams: Teams,
): Promise<QueuedResult> {
  const { question, model, build, answersRequests } = queuedRequest.parse(run.request);
  const { team, modulesFrom } = await teams.find(model, build).catch((error: unknown) => {
    throw error instanceof ApiError ? new MassgenError("CONFIG_INVALID", error.message, { exitCode: 1 }) : error;
  });
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
    history: await historyOf({ turnsBefore, store }),
    ...(requests === null ? {} : { human: requests.broker }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const prepared = observed(unheard, options.observeRun);
  try {
    const running = prepared.start();
    relay = relayDeltas(running, { send: sendDeltas, redact: prepared.redact });
    const heard = listen(messages(over.signal), { running, stop, requests, relay });
    await running.finished.finally(() => over.abort());
    await Promise.all([heard, relay.done]);
    return resultOf(await readQueuedView({ id: run.id, startedAtMs: run.startedAtMs ?? 0 }, store));
  } finally {
    over.abort();
  }
}

interface Listening {
  readonly running: RunningRun;
  readonly stop: AbortController;
  readonly requests: WaitingRequests | null;
  readonly relay: DeltaRelay;
}

/** What was said before this worker had the run, and taken then, is nothing a second time. */
async function listen(messages: AsyncIterable<HeardMessage>, { running, stop, requests, relay }: Listening): Promise<void> {
  for await (const message of messages) {
    if (message.kind === "cancel") stop.abort(new Error(message.reason));
    else if (message.kind === "answer_now") void running.answerNow(message.reason).catch(() => {});
    else if (message.kind === "watch") relay.watched();
    else if (message.kind === "input") {
      const { text, agent } = saidInput.parse(message.body);
      void running.send(text, { id: `message-${message.number}`, ...(agent === null ? {} : { agent }) }).catch(() => {});
    } else if (message.kind === "reply") {
      const { requestId, reply } = saidReply.parse(message.body);
      requests?.answer(requestId, reply);
    }
  }
}

const saidInput = z.object({ text: z.string(), agent: z.string().nullable() });
const saidReply = answerRequest.extend({ requestId: z.string() });
