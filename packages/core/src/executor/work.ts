import type { Delta, Recorded } from "@massgen/contracts";
import type { Effect, RunState, Signal } from "@massgen/kernel";

/** The effects somebody must perform; timers are the coordinator's own. */
export type WorkEffect = Exclude<Effect, { kind: "timer" }>;
export type RoundEffect = Extract<Effect, { kind: "run_round" }>;
export type PresentEffect = Extract<Effect, { kind: "present" }>;
export type EvaluateEffect = Extract<Effect, { kind: "evaluate" }>;
export type AnalyseEffect = Extract<Effect, { kind: "analyse" }>;
export type DivideEffect = Extract<Effect, { kind: "divide" }>;
export type ParaphraseEffect = Extract<Effect, { kind: "paraphrase" }>;
/** What is asked before the first round. */
export type PrepareEffect = AnalyseEffect | ParaphraseEffect | DivideEffect;
/** Work that is one of an agent's rounds. */
export type TalkEffect = Exclude<WorkEffect, PrepareEffect>;

/** What running work may see and say. */
export interface Work<E extends WorkEffect = WorkEffect> {
  readonly effect: E;
  /** Aborts as soon as the state no longer calls for this work: its claim was accepted, a limit fired, the run was cancelled. */
  readonly signal: AbortSignal;
  /** The newest inputs; they change while the work runs, for instance when a peer answers. */
  inputs(): E["inputs"];
  state(): RunState;
  /**
   * Puts a claim to the kernel and resolves with the facts it led to, once they are durable. A refused claim resolves
   * too; a claim of work that is no longer called for resolves with no facts. Never rejects.
   */
  offer(claim: Signal): Promise<readonly Recorded[]>;
  /** Puts a report (a call, a tool, its usage) on record, in order with the claims. Nothing is judged, nothing awaited. */
  report(report: Extract<Signal, { type: "activity_reported" | "usage_reported" }>): void;
  emit(delta: Delta): void;
}

/**
 * Performs effects. The default runs them in this process.
 *
 * - `execute` ends soon after `work.signal` aborts, whatever it was waiting for.
 * - Work that ends or throws without a claim counts as failed with kind `internal`.
 */
export interface Executor {
  execute(work: Work): Promise<void>;
}
