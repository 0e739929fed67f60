import type { FinishedRun, PreparedRun } from "@massgen/sdk";
import { expect, it } from "vitest";
import { createReviewDesk, type ReviewDesk } from "../src/review/review-desk.js";
import { type LiveRun, startLiveRun } from "../src/runs/live-run.js";

function held<T>() {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

/** A run whose events are all there, while its files are still being written. */
function runOf(desk: ReviewDesk | null) {
  const finished = held<FinishedRun>();
  const closed = held<void>();
  const prepared = {
    config: { agents: [] },
    redact: (text: string) => text,
    logDirectory: null,
    start: () => ({ finished: finished.promise, async *[Symbol.asyncIterator]() {} }),
  } as unknown as PreparedRun;
  const setting = { prepared, question: "Which?", sessionId: null, model: "massgen", turn: null, requests: null, env: {} };
  const run = startLiveRun({ ...setting, stop: new AbortController(), desk, close: () => closed.promise });
  return { run, finished, closed };
}

/** Follows the events; says whether they have ended. */
function follow(run: LiveRun, signal: AbortSignal = new AbortController().signal) {
  const seen = { hasEnded: false };
  void (async () => {
    for await (const _event of run.events(0, signal, false));
    seen.hasEnded = true;
  })();
  return seen;
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

it("the events of a run end once its files are kept and its conversation may go on, whatever became of it", async () => {
  const { run, finished, closed } = runOf(null);
  const seen = follow(run);
  await soon();
  expect(seen.hasEnded).toBe(false);
  finished.reject(new Error("no disk"));
  await soon();
  expect(seen.hasEnded).toBe(false);
  closed.resolve();
  await expect.poll(() => seen.hasEnded).toBe(true);
});

it("they end for who is asked to look at its changes, and for who leaves", async () => {
  const desk = createReviewDesk();
  const seen = follow(runOf(desk).run);
  await soon();
  expect(seen.hasEnded).toBe(false);
  void desk.reviewChanges({ changes: [] } as unknown as Parameters<ReviewDesk["reviewChanges"]>[0], new AbortController().signal);
  await expect.poll(() => seen.hasEnded).toBe(true);

  const leaving = new AbortController();
  const gone = follow(runOf(null).run, leaving.signal);
  leaving.abort();
  await expect.poll(() => gone.hasEnded).toBe(true);
});
