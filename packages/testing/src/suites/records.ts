import type { CoordinationEvent, Recorded, RunId } from "@massgen/contracts";

export const RUN: RunId = "20260101_000000_suites";

type Cancelled = Extract<CoordinationEvent, { type: "cancelled" }>;
export type Said = Recorded & Cancelled;

/** A fact that carries a text and means nothing to a store: the tests write texts into it and read them back. */
export const say: { fact(text: string): Cancelled; read(record: Said): string } = {
  fact: (text) => ({ type: "cancelled", phase: "coordinating", reason: text }),
  read: (record) => record.reason,
};

/** One decision with one fact per text, numbered from `after` + 1. */
export function decision(after: number, texts: readonly string[], options: { readonly runId?: RunId } = {}): readonly Recorded[] {
  return stamp(after, texts.map(say.fact), options.runId ?? RUN);
}

/** The decision that ends the run. */
export function finish(after: number): readonly Recorded[] {
  return stamp(after, [{ type: "run_finished", status: "completed", winner: "ada", message: null }], RUN);
}

function stamp(after: number, facts: readonly CoordinationEvent[], runId: RunId): readonly Recorded[] {
  return facts.map((fact, place) => ({
    seq: after + place + 1,
    at: Date.UTC(2026, 0, 1) + after + place,
    runId,
    decision: after + 1,
    closes: place === facts.length - 1,
    ...fact,
  }));
}
