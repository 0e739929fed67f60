import { type Ambient, type EventStore, MassgenError, type Recorded, type RunEvent, type RunId } from "@massgen/contracts";
import { decide, type Effect, evolve, initialState, isReport, outstanding, type Policy, type RunState, type Signal } from "@massgen/kernel";
import { OVER } from "../async/over.js";
import type { Executor } from "../executor/work.js";
import { createGateNotes } from "./gate-notes.js";
import { type ArrivalOrder, createMailbox, type Letter } from "./mailbox.js";
import { type Outcome, outcomeOf } from "./outcome.js";
import { createCrew } from "./reconcile.js";
import { createRunLog } from "./run-log.js";
import { createRunningTexts } from "./running-texts.js";
import { dueAt, type TimerEffect } from "./timers.js";
import { createWatchers } from "./watchers.js";

/** How long the end of a run waits for aborted work to let go of what it holds. */
const GRACE_MS = 2_000;

export interface RunSetup {
  readonly runId: RunId;
  readonly store: EventStore;
  readonly ambient: Ambient;
  readonly policy: Policy;
  readonly start: Extract<Signal, { type: "start" }>;
  /** Aborting it cancels the run in order. */
  readonly cancel: AbortSignal | undefined;
  readonly order: ArrivalOrder | undefined;
  /** Built once the records are known that a resumed run begins with. */
  executor(records: readonly Recorded[]): Executor;
}

export interface RunningRun {
  readonly outcome: Promise<Outcome>;
  state(): RunState;
  send(signal: Signal): Promise<readonly Recorded[]>;
  watch(): AsyncIterator<RunEvent>;
}

/** One mailbox, one log, one state: judges signals one at a time and keeps the running work equal to the called-for work. */
export function startRun(setup: RunSetup): RunningRun {
  const { ambient, policy, cancel } = setup;
  const { clock } = ambient;
  const mailbox = createMailbox(setup.order);
  const log = createRunLog({ runId: setup.runId, store: setup.store, clock });
  const watchers = createWatchers(log.records);
  const texts = createRunningTexts();
  const noteGates = createGateNotes(policy, watchers.delta);
  let state = initialState;

  const crew = createCrew({
    executor: setup.executor(log.records),
    mailbox,
    state: () => state,
    emit(delta) {
      texts.collect(delta);
      watchers.delta(delta);
    },
    async timer(effect: TimerEffect, signal: AbortSignal) {
      await clock.sleepUntil(dueAt(effect, log.timeOf), signal);
      return { type: "timer_fired", timer: effect.id, texts: texts.all() };
    },
    ended(effect: Effect) {
      if (effect.kind !== "timer") texts.forget(effect.agent);
    },
    isClosing: () => cancel?.aborted === true,
  });

  // What is said before the run has begun waits for that.
  let onBegun = (): void => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });

  async function send(signal: Signal): Promise<readonly Recorded[]> {
    await begun;
    const complete = signal.type === "cancel_requested" ? { ...signal, texts: { ...texts.all(), ...signal.texts } } : signal;
    return new Promise((judged, failed) => mailbox.post({ signal: complete, from: null, judged, failed }));
  }

  function requestCancel(): void {
    const signal: Signal = { type: "cancel_requested", reason: reasonOf(cancel), texts: texts.all() };
    mailbox.post({ signal, from: null, judged: () => {}, failed: () => {} });
  }

  /** Append, then act: nothing a decision calls for begins before the decision is durable. */
  async function judge(letter: Letter): Promise<void> {
    if (letter.from?.aborted === true) return letter.judged([]);
    const facts = decide(state, letter.signal, policy);
    const decision = facts.length === 0 ? [] : await log.append(facts);
    state = facts.reduce(evolve, state);
    // Whoever waits for the verdict reads it after this function, when the work it ends has been aborted.
    letter.judged(decision);
    watchers.facts();
    if (facts.every(isReport)) return;
    noteGates(state);
    crew.reconcile(outstanding(state, policy));
  }

  async function run(): Promise<Outcome> {
    const known = await log.load();
    state = known.reduce(evolve, state);
    if (known.length > 0) checkSameTeam(setup, state);
    watchers.facts();
    const opening: Signal = known.length === 0 ? setup.start : { type: "resume", lastSeq: known.length };
    mailbox.post({ signal: opening, from: null, judged: () => {}, failed: () => {} });
    onBegun();
    if (cancel?.aborted === true) requestCancel();
    else cancel?.addEventListener("abort", requestCancel, { once: true });
    while (state.phase !== "finished") {
      const letter = mailbox.take();
      if (letter !== undefined) await judge(letter);
      else if (crew.isBusy() || setup.order !== undefined) await mailbox.arrival();
      else throw stuck(setup.runId, state);
    }
    return outcomeOf(state, log.records);
  }

  async function toTheEnd(): Promise<Outcome> {
    let error: unknown = null;
    try {
      return await run();
    } catch (cause) {
      error = cause;
      throw cause;
    } finally {
      cancel?.removeEventListener("abort", requestCancel);
      crew.abortAll();
      mailbox.close(error);
      onBegun();
      await letGo(crew.settled());
      watchers.close(error);
    }
  }

  /** Well-behaved work ends at once; what does not is left behind after a moment. */
  async function letGo(settled: Promise<void>): Promise<void> {
    const enough = new AbortController();
    const wait = clock.sleepUntil(clock.monotonic() + GRACE_MS, enough.signal).catch(() => {});
    await Promise.race([settled, wait]);
    enough.abort(OVER);
  }

  const outcome = toTheEnd();
  // Whoever only watches learns of the failure from the iteration; it must not end the process besides.
  outcome.catch(() => {});
  return { outcome, state: () => state, send, watch: watchers.watch };
}

function checkSameTeam({ runId, start }: RunSetup, state: RunState): void {
  const ids = start.agents.map((agent) => agent.id);
  if (ids.length === state.order.length && ids.every((id, index) => id === state.order[index])) return;
  const message = `Run ${runId} was begun by the agents ${state.order.join(", ")} and cannot go on with ${ids.join(", ")}.`;
  throw new MassgenError("CONFIG_INVALID", message, { exitCode: 1, hint: "Resume it with the configuration it was started with." });
}

function stuck(runId: RunId, state: RunState): MassgenError {
  const message = `Run ${runId} is stuck after fact ${state.seq}: nothing is running and the state calls for nothing.`;
  return new MassgenError("RUN_STUCK", message, { hint: "This is a bug; please send the log of the run (events.jsonl)." });
}

function reasonOf(cancel: AbortSignal | undefined): string {
  const reason: unknown = cancel?.reason;
  if (typeof reason === "string") return reason;
  // What `AbortController.abort()` gives without a reason says nothing.
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "cancelled by the user";
}
