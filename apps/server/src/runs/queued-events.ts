import { setTimeout as sleep } from "node:timers/promises";
import type { Delta, RunEvent } from "@massgen/contracts";
import type { RunQueue } from "@massgen/store-postgres";

/** Whoever plays the run is told this often that somebody wants the deltas. */
const SAY_MS = 30_000;
/** Deltas come on a way of their own. A fact waits for so long, so that what passed before it comes before it, as a rule. */
const LEAD_MS = 30;
const OLD_MS = 2_000;
/** Of a watcher that is behind; beyond that what passes is left out. */
const MOST_DELTAS = 1_024;

export async function* factsOf(id: string, queue: RunQueue, after: number, signal: AbortSignal): ReturnType<RunQueue["store"]["read"]> {
  // A run that could not even begin ends without a last fact.
  const over = new AbortController();
  const ended = queue.ended(id, AbortSignal.any([signal, over.signal])).then(
    () => over.abort(),
    () => {},
  );
  let last = after;
  try {
    for await (const record of queue.store.read(id, { after, follow: true, signal: AbortSignal.any([signal, over.signal]) })) {
      last = record.seq;
      yield record;
    }
    if (signal.aborted) return;
    for await (const record of queue.store.read(id, { after: last, signal })) yield record;
  } finally {
    over.abort();
    await ended;
  }
}

/** The same, and between them the deltas, gathered by whoever plays the run. */
export async function* eventsOf(id: string, queue: RunQueue, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
  let passed: Delta[] = [];
  let wake = (): void => {};
  let ledAt = 0;
  const stop = queue.deltas(id, (deltas) => {
    if (passed.length < MOST_DELTAS) passed = [...passed, ...deltas];
    wake();
  });
  const say = (): void => void queue.say(id, { kind: "watch", body: null }, `watch:${Math.floor(Date.now() / SAY_MS)}`).catch(() => {});
  say();
  const saying = setInterval(say, SAY_MS);
  const facts = factsOf(id, queue, after, signal)[Symbol.asyncIterator]();
  try {
    for (let next = heard(facts.next()); ; ) {
      const woken = new Promise<null>((resolve) => {
        wake = () => resolve(null);
      });
      const taken = passed.length > 0 ? null : await Promise.race([next, woken]);
      if (taken !== null) {
        if (taken.done === true) return;
        const now = Date.now();
        // What was written long ago, or came with others, has nothing before it that is still on its way.
        if (now - taken.value.at < OLD_MS && now - ledAt > LEAD_MS) {
          await sleep(LEAD_MS);
          ledAt = Date.now();
        }
      }
      const deltas = passed;
      passed = [];
      yield* deltas;
      if (taken === null) continue;
      yield taken.value;
      next = heard(facts.next());
    }
  } finally {
    clearInterval(saying);
    stop();
    if (facts.return !== undefined) void heard(facts.return(undefined));
  }
}

/** Its failure is met where it is waited for, which may be later, or never: it must not end the process. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
