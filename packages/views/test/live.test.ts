import type { Delta } from "@massgen/contracts";
import { emptyLiveView, emptyRunView, foldLive, foldRecord, type LiveView } from "@massgen/views";
import { expect, test } from "vitest";
import { sampleRun } from "./sample-run.js";

const { records } = sampleRun(["a", "b"]).answer("a", "first").answer("b", "second").vote("a", "agent2.1", "it is shorter");
const watched = records.reduce<LiveView>(foldLive, emptyLiveView);
const says = (live: LiveView, agent: string): readonly string[] =>
  (live.streams.get(agent)?.pieces ?? []).map((piece) => (piece.kind === "tool" ? piece.name : piece.text));

test("what is watched holds the same view as the record, so live and replay are one", () => {
  expect(watched.view).toEqual(records.reduce(foldRecord, emptyRunView));
});

test("answers and votes stand in the stream of their agent, with what they say", () => {
  expect(says(watched, "a")).toEqual(expect.arrayContaining(["submits agent1.1", "first", "votes for agent2.1", "it is shorter"]));
  expect(watched.moments.map(({ seq }) => seq)).toEqual([...watched.moments.map(({ seq }) => seq)].sort((one, other) => one - other));
});

test("texts of one kind join while they are written; another kind, or a fact, closes them", () => {
  const deltas: readonly Delta[] = [
    { type: "content_delta", agent: "a", channel: "work", text: "Hel" },
    { type: "content_delta", agent: "a", channel: "work", text: "lo" },
    { type: "reasoning_delta", agent: "a", channel: "work", text: "hm" },
  ];
  const live = deltas.reduce<LiveView>(foldLive, emptyLiveView);
  expect(live.streams.get("a")).toEqual({ pieces: [{ kind: "text", text: "Hello" }], open: { kind: "reasoning", text: "hm" } });
});

test("a stream that never ends is cut at its beginning", () => {
  const text = "x".repeat(10_000);
  let live: LiveView = emptyLiveView;
  for (let n = 0; n < 20; n++) {
    live = foldLive(live, { type: "content_delta", agent: "a", channel: "work", text: `${n}${text}` });
    live = foldLive(live, { type: "reasoning_delta", agent: "a", channel: "work", text: "." });
  }
  const chars = (live.streams.get("a")?.pieces ?? []).reduce((sum, piece) => sum + (piece.kind === "tool" ? 0 : piece.text.length), 0);
  expect(chars).toBeLessThan(60_000);
  expect(says(live, "a").at(-1)).toMatch(/^\.|^19x/);
});

test("a request stands open until it is closed, or the run is over", () => {
  const base = { runId: "r", decision: 1, closes: true, at: 5 };
  const request = {
    id: "q1",
    kind: "tool_approval",
    agent: "a",
    prompt: "May I?",
    choices: null,
    deadlineMs: null,
    onDeadline: "deny",
  } as const;
  const opened = foldLive(emptyLiveView, { ...base, seq: 1, type: "request_opened", request });
  expect(opened.requests).toEqual([{ request, at: 5 }]);
  expect(
    foldLive(opened, { ...base, seq: 2, type: "request_closed", requestId: "other", by: "person", reply: "deny" }).requests,
  ).toHaveLength(1);
  expect(foldLive(opened, { ...base, seq: 2, type: "request_closed", requestId: "q1", by: "person", reply: "deny" }).requests).toEqual([]);
  expect(foldLive(opened, { ...base, seq: 2, type: "run_finished", status: "cancelled", winner: null, message: null }).requests).toEqual(
    [],
  );
});
