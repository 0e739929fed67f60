import type { Recorded } from "@massgen/contracts";
import { emptyRunView, foldRecord } from "@massgen/views";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PersistedLine, persistedLine, recordOf } from "../src/events/persisted-event.js";
import { PERSISTED_NAMES } from "../src/events/persisted-names.js";
import { utc } from "../src/local-time.js";
import { factOf, factTypes } from "./arbitrary-facts.js";

const stamp = { seq: 7, at: 1_767_345_330_100, runId: "20260102_101529_k7q2mz", decision: 3, closes: true };
const lineOf = (record: Recorded): PersistedLine => persistedLine(record, emptyRunView, foldRecord(emptyRunView, record), utc);
const thereAndBack = (record: Recorded): Recorded => recordOf(JSON.parse(JSON.stringify(lineOf(record))) as PersistedLine);

describe("the table between facts and the names on disk", () => {
  it.each(factTypes)("loses nothing of %s", (type) => {
    fc.assert(
      fc.property(factOf(type), (fact) => {
        const record: Recorded = { ...stamp, ...fact };
        expect(thereAndBack(record)).toEqual(record);
      }),
    );
  });

  it("keeps any time exactly", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ min: 0, max: 4e12, noNaN: true }),
          fc.nat({ max: 2 ** 31 - 1 }).map((n) => 1_700_000_000_000 + n),
        ),
        (at) => {
          const record: Recorded = { ...stamp, at, type: "run_resumed", lastSeq: 1 };
          expect(thereAndBack(record).at).toBe(at);
        },
      ),
    );
  });

  it("gives every fact a name of its own", () => {
    const names = Object.values(PERSISTED_NAMES).map((name) => name.event);
    expect(new Set(names).size).toBe(names.length);
  });

  it("writes snake_case keys only", () => {
    fc.assert(
      fc.property(fc.constantFrom(...factTypes).chain(factOf), (fact) => {
        const { context, ...line } = lineOf({ ...stamp, ...fact });
        for (const key of [...Object.keys(line), ...Object.keys(context)]) expect(key).toMatch(/^[a-z0-9_]+$/);
      }),
    );
  });

  it("writes a line as documented", () => {
    const vote: Recorded = {
      ...stamp,
      type: "vote_cast",
      agent: "agent_a",
      round: 1,
      target: "agent_b",
      targetLabel: "agent2.1",
      reason: "Covers invalidation",
      confidence: null,
      confidenceDefaulted: false,
      weight: 1,
      coerced: false,
      options: ["agent1.1", "agent2.1"],
    };
    expect(lineOf(vote)).toEqual({
      event_id: "E7",
      seq: 7,
      timestamp: 1767345330.1,
      timestamp_iso: "2026-01-02T09:15:30.100+00:00",
      event_type: "vote",
      legacy_type: "vote_cast",
      agent_id: "agent_a",
      details: "agent_a voted for agent2.1: Covers invalidation",
      context: {
        iteration: 0,
        round: 1,
        epoch: 0,
        voted_for: "agent_b",
        voted_for_label: "agent2.1",
        reason: "Covers invalidation",
        confidence: null,
        weight: 1,
        coerced: false,
        available_answers: ["agent1.1", "agent2.1"],
        self_vote: false,
        reason_missing: false,
      },
      run_id: "20260102_101529_k7q2mz",
      decision: 3,
      closes: true,
    });
  });

  it("passes a fact of a newer version on under its own name, so that no number is missing", () => {
    const line = {
      ...lineOf({ ...stamp, type: "run_resumed", lastSeq: 1 }),
      event_type: "moon_phase_changed",
      context: { to: "full", seq: 99 },
    } as unknown as PersistedLine;
    expect(recordOf(line)).toEqual({ ...stamp, type: "moon_phase_changed", agent: null, to: "full" });
  });
});
