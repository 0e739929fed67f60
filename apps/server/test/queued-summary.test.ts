import type { Recorded } from "@massgen/contracts";
import { coordinate } from "@massgen/core";
import type { QueuedRun } from "@massgen/store-postgres";
import { newAnswer, runVirtual, scriptedBackend, testAmbient, text, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { readQueuedView, readSummary, resultOf } from "../src/runs/queued-summary.js";

async function played(): Promise<readonly Recorded[]> {
  const ambient = testAmbient();
  const steps = [newAnswer("Use ARC."), vote("agent1", "clear"), text("ARC it is.")];
  const run = coordinate({
    question: "Which?",
    ambient,
    agents: ["ada", "bob"].map((id) => ({ id, backend: scriptedBackend({ clock: ambient.clock, id: "test", model: "m", steps }) })),
  });
  await runVirtual(ambient.clock, run.outcome);
  const records: Recorded[] = [];
  for await (const event of run) if ("seq" in event) records.push(event);
  return records;
}

const storeOf = (records: readonly Recorded[]) => ({
  append: () => Promise.reject(new Error("nobody writes here")),
  async *read() {
    yield* records;
  },
});
const unread = {
  append: () => Promise.reject(new Error("nobody writes here")),
  read: (): never => {
    throw new Error("the log of a run that is over was read");
  },
};
const run: QueuedRun = {
  id: "run-1",
  key: "",
  sessionId: null,
  request: { question: "Which?", model: "massgen", build: null },
  createdAtMs: 1_000,
  startedAtMs: 2_000,
  endedAtMs: 5_000,
  takes: 1,
  result: null,
};

describe("what a list shows of a run of the queue", () => {
  it("that is over, as its worker told it: no log is read, and it is what the log says", async () => {
    const store = storeOf(await played());
    const result = resultOf(await readQueuedView(run, store));
    const told = await readSummary({ ...run, result }, unread);
    expect(told).toMatchObject({
      id: "run-1",
      state: "completed",
      agents: ["ada", "bob"],
      winner: "ada",
      question: "Which?",
      durationMs: 3_000,
    });
    expect(told).toEqual(await readSummary(run, store));
  });

  it.each([
    ["waits", { startedAtMs: null, endedAtMs: null }, "queued", null],
    ["was given up before it began", { result: { error: "no such team" } }, "error", 3_000],
  ])("that %s", async (_what, change, state, durationMs) => {
    expect(await readSummary({ ...run, ...change }, storeOf([]))).toMatchObject({ state, durationMs, agents: [], winner: null });
  });

  it("that runs, as its log stands", async () => {
    const records = await played();
    const half = records.slice(
      0,
      records.findIndex(({ type }) => type === "vote_cast"),
    );
    expect(await readSummary({ ...run, endedAtMs: null }, storeOf(half))).toMatchObject({ state: "running", winner: null });
  });
});
