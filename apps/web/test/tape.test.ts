import type { Recorded } from "@massgen/contracts";
import { emptyLiveView, foldLive, type LiveView } from "@massgen/views";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openTape } from "../src/run/tape.js";

const records: readonly Recorded[] = Array.from({ length: 1_200 }, (_, place) => {
  const base = { seq: place + 1, at: 1_000 + place * 7, runId: "r", decision: place + 1, closes: true } as const;
  if (place === 0)
    return {
      ...base,
      type: "run_started",
      question: "Which?",
      agents: [{ id: "ada", anon: "agent1", backend: "openai", model: "m" }],
      seed: 1,
      mode: "voting",
    };
  return { ...base, type: "tool_start", agent: "ada", round: 0, callId: `c${place}`, name: "read_file", argsPreview: "{}" };
});

it("shows after any number of facts what folding them would, however it is wound", () => {
  const tape = openTape(records);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 1_300 }), { maxLength: 8 }), (stops) => {
      for (const stop of stops) {
        const count = Math.max(0, Math.min(records.length, stop));
        expect(tape.at(stop)).toEqual(records.slice(0, count).reduce<LiveView>(foldLive, emptyLiveView));
      }
    }),
    { numRuns: 30 },
  );
});

it("knows how many facts had happened at a time, and the time of each", () => {
  const tape = openTape(records);
  for (const count of [0, 1, 2, 600, 1_200]) expect(tape.countAt(tape.timeOf(count))).toBe(Math.max(1, count));
  expect(tape.countAt(-1)).toBe(0);
  expect(tape.countAt(6)).toBe(1);
  expect(tape.countAt(7)).toBe(2);
  expect(openTape([]).at(3)).toEqual(emptyLiveView);
});
