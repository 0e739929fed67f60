import type { Delta } from "@massgen/contracts";
import type { Effect, RunState, Signal } from "@massgen/kernel";
import type { Executor, Work, WorkEffect } from "../executor/work.js";
import type { Mailbox } from "./mailbox.js";
import { scheduleOf, type TimerEffect } from "./timers.js";

/** The work of a run that is in progress, kept equal to the work its state calls for. */
export interface Crew {
  /** Ends work that is no longer called for, hands changed inputs to running work, starts what is missing. */
  reconcile(effects: readonly Effect[]): void;
  /** Something is running whose claim is still to come. */
  isBusy(): boolean;
  abortAll(): void;
  /** Resolves when all work ever started has come to its end. */
  settled(): Promise<void>;
}

export interface CrewOptions {
  readonly executor: Executor;
  readonly mailbox: Mailbox;
  state(): RunState;
  emit(delta: Delta): void;
  /** Waits until the timer is due, and tells what it then claims. */
  timer(effect: TimerEffect, signal: AbortSignal): Promise<Signal>;
  /** Work was ended or has ended by itself. */
  ended(effect: Effect): void;
  /** No new work any more: the run is about to be cancelled. */
  isClosing(): boolean;
}

interface Running {
  readonly controller: AbortController;
  readonly identity: string;
  effect: Effect;
  /** Number of the last reconciliation that called for it. */
  calledFor: number;
  /** Its claim has been judged, or it never will make one: in flight no longer, but not to be started again either. */
  isSpent: boolean;
}

export function createCrew(options: CrewOptions): Crew {
  const { executor, mailbox } = options;
  const running = new Map<string, Running>();
  const ends = new Set<Promise<void>>();
  let reconciliations = 0;

  function reconcile(effects: readonly Effect[]): void {
    const state = options.state();
    reconciliations += 1;
    const missing: Effect[] = [];
    for (const effect of effects) {
      const work = running.get(effect.id);
      // The same object is the same work; only what has changed is looked at.
      if (work !== undefined && (work.effect === effect || identityOf(effect, state) === work.identity)) {
        work.effect = effect;
        work.calledFor = reconciliations;
      } else missing.push(effect);
    }
    for (const [id, work] of running) if (work.calledFor !== reconciliations) stop(id, work);
    if (options.isClosing()) return;
    for (const effect of missing) begin(effect.id, effect);
  }

  function stop(id: string, work: Running): void {
    running.delete(id);
    work.controller.abort(new DOMException("This work is no longer called for.", "AbortError"));
    options.ended(work.effect);
  }

  function begin(id: string, effect: Effect): void {
    const identity = identityOf(effect, options.state());
    const work: Running = { controller: new AbortController(), identity, effect, calledFor: reconciliations, isSpent: false };
    running.set(id, work);
    const end = perform(effect, work).then((claim) => submit(id, work, claim));
    ends.add(end);
    void end.finally(() => ends.delete(end));
  }

  /** Runs the work to its end; what it claims if nothing else was heard of it. Never rejects. */
  async function perform(effect: Effect, work: Running): Promise<Signal | null> {
    const { signal } = work.controller;
    try {
      if (effect.kind === "timer") return await options.timer(effect, signal);
      await executor.execute(workFor(effect, work));
      return lost(effect, "the work ended without an action");
    } catch (error) {
      if (signal.aborted || effect.kind === "timer") return null;
      return lost(effect, error instanceof Error ? error.message : String(error));
    }
  }

  function submit(id: string, work: Running, signal: Signal | null): void {
    if (running.get(id) !== work) return;
    const spent = (): void => {
      work.isSpent = true;
    };
    if (signal === null) spent();
    else mailbox.post({ signal, from: work.controller.signal, judged: spent, failed: spent });
  }

  function workFor(effect: WorkEffect, work: Running): Work {
    const { signal } = work.controller;
    return {
      effect,
      signal,
      inputs: () => (work.effect as WorkEffect).inputs,
      state: options.state,
      offer: (claim) =>
        new Promise((resolve) => {
          mailbox.post({ signal: claim, from: signal, judged: resolve, failed: () => resolve([]) });
        }),
      report: (report) => mailbox.post({ signal: report, from: null, judged: () => {}, failed: () => {} }),
      emit(delta) {
        if (!signal.aborted) options.emit(delta);
      },
    };
  }

  return {
    reconcile,
    isBusy: () => [...running.values()].some((work) => !work.isSpent),
    abortAll() {
      for (const [id, work] of running) stop(id, work);
    },
    async settled() {
      while (ends.size > 0) await Promise.all(ends);
    },
  };
}

/** What makes work the same work: a round begun anew, or a timer with another schedule, is not. */
function identityOf(effect: Effect, state: RunState): string {
  if (effect.kind === "timer") return scheduleOf(effect);
  return effect.kind === "run_round" ? String(state.agents[effect.agent]?.roundSeq) : "";
}

/** Ending without a claim is a claim. */
function lost(effect: WorkEffect, message: string): Signal {
  const { agent } = effect;
  switch (effect.kind) {
    case "run_round":
      return { type: "round_failed", agent, round: effect.round, kind: "internal", message, text: "" };
    case "present":
      return { type: "presentation_failed", agent, why: "error", partial: "" };
    case "evaluate":
      return { type: "evaluation_failed", agent, round: effect.round, message };
    case "analyse":
      return { type: "analysis_failed", agent, message };
    case "paraphrase":
      return { type: "paraphrasing_failed", agent, message };
    case "divide":
      return { type: "division_failed", agent, message };
  }
}
