import type { AgentId, MonotonicMillis } from "@massgen/contracts";
import { newAnswer, type TestAmbient, type Turn, text, toolCall, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { type Coordination, memoryStore } from "../src/index.js";
import { factsOf, isSendable, runTeam, type Script, textOf } from "./support/run-team.js";

const thenFinal =
  (...steps: readonly Turn[]): Script =>
  (request, index) =>
    textOf(request).includes("final result") ? text("final") : (steps[index] ?? vote("agent1", "fine"));

/** Says something once so much time has passed. */
const sayAt =
  (afterMs: MonotonicMillis, said: string, agents: readonly AgentId[] | null = null) =>
  (run: Coordination, { clock }: TestAmbient): void =>
    void clock
      .sleepUntil(clock.monotonic() + afterMs, new AbortController().signal)
      .then(() => run.send({ type: "input_received", id: null, text: said, agents }));

const times = (request: string, said: string): number => request.split(said).length - 1;

describe("what is said to agents at work (coordination.md 1.24)", () => {
  it("reaches an agent in mid-work at its next safe point, once, and the others with their next prompt", async () => {
    const { facts, backends, outcome } = await runTeam(
      {
        ada: thenFinal(newAnswer("a")),
        bob: thenFinal([wait(3_000), toolCall("nothing")], newAnswer("b")),
      },
      { meddle: sayAt(1_000, "The server has 512 MB.") },
    );
    expect(factsOf(facts, "input_received")).toMatchObject([{ number: 1, agents: ["ada", "bob"] }]);
    expect(factsOf(facts, "input_delivered")).toHaveLength(2);
    const bob = backends["bob"]!.requests.map(textOf);
    expect(bob[0]).not.toContain("512 MB");
    expect(bob[1]).toContain(
      "While you were working, the person who sent the original message said:\n<said>\nThe server has 512 MB.\n</said>",
    );
    for (const backend of Object.values(backends))
      for (const request of backend.requests.slice(1)) {
        expect(isSendable(request.messages)).toBe(true);
        expect(times(textOf(request), "512 MB")).toBe(1);
      }
    expect(outcome.status).toBe("completed");
  });

  it("stands after the original message in every new conversation of those it was said to, the presentation too, and in nobody else's", async () => {
    const { backends } = await runTeam(
      { ada: thenFinal([wait(2_000), newAnswer("a")]), bob: thenFinal([wait(2_000), newAnswer("b")]) },
      { meddle: sayAt(1_000, "Only for Ada.", ["ada"]) },
    );
    const [, ...later] = backends["ada"]!.requests.map(textOf);
    expect(later.length).toBeGreaterThan(1);
    for (const request of later) expect(request).toMatch(/<\/original_message>\n\nWhile the work was going on[\s\S]*Only for Ada\./);
    expect(later.at(-1)).toContain("final result");
    for (const request of backends["bob"]!.requests) expect(textOf(request)).not.toContain("Only for Ada");
  });

  it("a vote cast without having heard it waits until it was heard", async () => {
    const { facts, backends } = await runTeam(
      {
        ada: thenFinal(newAnswer("a"), [wait(5_000), vote("agent2", "fine")]),
        bob: thenFinal(newAnswer("b"), [wait(3_000), vote("agent2", "mine")], vote("agent1", "after all")),
      },
      { meddle: sayAt(2_000, "Not the one of agent2.", ["bob"]) },
    );
    expect(textOf(backends["bob"]!.requests[2]!)).toMatch(/Not counted yet[\s\S]*Not the one of agent2/);
    expect(factsOf(facts, "vote_cast").map(({ agent, target }) => [agent, target])).toEqual([
      ["bob", "ada"],
      ["ada", "bob"],
    ]);
  });

  it("a conversation that is gone on with gets only what is new", async () => {
    const { backends } = await runTeam(
      { ada: thenFinal([wait(2_000), newAnswer("a")]), bob: thenFinal([wait(2_500), newAnswer("b")]) },
      { policy: { enableRestarts: false }, meddle: sayAt(1_000, "Keep it short.") },
    );
    for (const id of ["ada", "bob"])
      for (const request of backends[id]!.requests.slice(1)) {
        expect(times(textOf(request), "Keep it short.")).toBe(1);
        expect(isSendable(request.messages)).toBe(true);
      }
  });

  it("said before the first agent has begun, it stands in the first prompts", async () => {
    const { backends, facts } = await runTeam(
      { ada: thenFinal(newAnswer("a")), bob: thenFinal(newAnswer("b")) },
      { meddle: (run) => void run.send({ type: "input_received", id: null, text: "Keep it short.", agents: null }) },
    );
    expect(factsOf(facts, "input_received")).toHaveLength(1);
    for (const id of ["ada", "bob"]) expect(textOf(backends[id]!.requests[1]!)).toContain("Keep it short.");
  });

  it("has a single agent write again what it had just written", async () => {
    const { outcome, backends } = await runTeam(
      { ada: (_request, index) => (index === 0 ? [wait(2_000), text("first")] : text("second, in French")) },
      { meddle: sayAt(1_000, "In French, please.") },
    );
    expect(textOf(backends["ada"]!.requests[1]!)).toMatch(/first[\s\S]*In French, please\.[\s\S]*Write the whole answer again/);
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "second, in French" });
  });

  it("has the presenter write again what it had just written, and comes too late after that", async () => {
    let tookLate: boolean | null = null;
    let said = 0;
    const { outcome, facts } = await runTeam(
      {
        ada: (request, index) => {
          if (!textOf(request).includes("final result")) return index === 0 ? newAnswer("a") : vote("agent1", "fine");
          said += 1;
          return said === 1 ? [wait(5_000), text("long")] : text("short");
        },
        bob: thenFinal(newAnswer("b")),
      },
      {
        meddle(run, ambient) {
          sayAt(3_000, "Shorter.")(run, ambient);
          void run.outcome.then(async () => {
            tookLate = (await run.send({ type: "input_received", id: null, text: "Hello?", agents: null })).length > 0;
          });
        },
      },
    );
    expect(outcome).toMatchObject({ winner: "ada", finalAnswer: "short" });
    expect(factsOf(facts, "input_received")).toMatchObject([{ agents: ["ada"] }]);
    expect(tookLate).toBe(false);
  });

  it("survives the process: a resumed run has it in its prompts, and is not told twice", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const first = await runTeam(
      { ada: thenFinal([wait(2_000), toolCall("nothing")], [wait(60_000), newAnswer("never")]), bob: thenFinal(newAnswer("b")) },
      {
        store,
        runId: "run_1",
        signal: stop.signal,
        meddle(run, ambient) {
          sayAt(1_000, "The server has 512 MB.")(run, ambient);
          void ambient.clock.sleepUntil(ambient.clock.monotonic() + 4_000, new AbortController().signal).then(() => stop.abort());
        },
      },
    );
    // As if the process had been killed: what the cancel added is not there.
    const upTo = first.facts.findIndex(({ type }) => type === "cancelled");
    const killed = memoryStore();
    await killed.append("run_1", 0, first.facts.slice(0, upTo), "flushed");
    const { backends, facts } = await runTeam({ ada: thenFinal(newAnswer("a")), bob: thenFinal() }, { store: killed, runId: "run_1" });
    expect(textOf(backends["ada"]!.requests[0]!)).toMatch(/<\/original_message>\n\nWhile the work was going on[\s\S]*512 MB/);
    expect(factsOf(facts, "input_delivered").filter(({ agent }) => agent === "ada")).toHaveLength(1);
  });
});
