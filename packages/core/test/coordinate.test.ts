import { type Durability, type EventStore, MassgenError, type Recorded, type RunEvent, type TurnRequest } from "@massgen/contracts";
import { newAnswer, runVirtual, scriptedBackend, stall, type Turn, testAmbient, text, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { coordinate, type Executor, memoryStore, type Work } from "../src/index.js";
import { factsOf, isFact, runTeam, type Script, textOf } from "./support/run-team.js";

const good = (request: TurnRequest, _index: number): Turn =>
  textOf(request).includes("final result")
    ? text("final")
    : textOf(request).includes("<current_answers>")
      ? vote("agent1", "fine")
      : newAnswer("good");
const other = (request: TurnRequest, index: number): Turn =>
  textOf(request).includes("<current_answers>") ? vote("agent1", "fine") : newAnswer(`other ${index}`);

describe("the record", () => {
  it("is gapless, closes every decision with its last fact, and is what watchers and the store have", async () => {
    const store = memoryStore();
    const { facts, run } = await runTeam({ ada: good, bob: other }, { store });
    expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
    for (const [index, fact] of facts.entries()) expect(fact.closes).toBe(facts[index + 1]?.decision !== fact.decision);
    const stored: Recorded[] = [];
    for await (const record of store.read(run.runId)) stored.push(record);
    expect(stored).toEqual(facts);
  });

  it("flushes decisions; what only reports is buffered", async () => {
    const appended: (readonly [Durability, readonly string[]])[] = [];
    const inner = memoryStore();
    const store: EventStore = {
      read: inner.read,
      append(runId, after, decision, durability) {
        appended.push([durability, decision.map((fact) => fact.type)]);
        return inner.append(runId, after, decision, durability);
      },
    };
    await runTeam({ ada: good, bob: other }, { store });
    for (const [durability, types] of appended) {
      const isReport = types.every((type) => ["llm_call", "usage_recorded", "tool_start", "tool_complete"].includes(type));
      expect(durability).toBe(isReport ? "buffered" : "flushed");
    }
    expect(appended.at(-1)?.[0]).toBe("flushed");
  });

  it("is durable before anything it calls for begins", async () => {
    const inner = memoryStore();
    let durable = 0;
    const slow: EventStore = {
      read: inner.read,
      async append(runId, after, decision, durability) {
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        await inner.append(runId, after, decision, durability);
        durable = after + decision.length;
      },
    };
    const begun: number[] = [];
    const watchful: Script = (request, index) => {
      begun.push(durable);
      return good(request, index);
    };
    const { facts } = await runTeam({ ada: watchful, bob: other }, { store: slow });
    const rounds = facts.filter((fact) => (fact.type === "round_started" || fact.type === "presentation_started") && fact.agent === "ada");
    expect(begun).toHaveLength(3);
    for (const [index, fact] of rounds.entries()) expect(begun[index]).toBeGreaterThanOrEqual(fact.seq);
  });

  it("the same seed, scripts and clock give the same record", async () => {
    const [one, two] = [await runTeam({ ada: good, bob: other }), await runTeam({ ada: good, bob: other })];
    expect(one.facts).toEqual(two.facts);
  });
});

describe("a store that fails", () => {
  const failing = (after: number, error: unknown): EventStore => {
    const inner = memoryStore();
    return {
      read: inner.read,
      append: (runId, at, decision, durability) => (at >= after ? Promise.reject(error) : inner.append(runId, at, decision, durability)),
    };
  };

  it.each([
    [new Error("disk full"), "STORE_FAILED"],
    [new MassgenError("STORE_CONFLICT", "another writer"), "STORE_CONFLICT"],
  ])("ends the run and all its work: %s", async (error, code) => {
    const ambient = testAmbient();
    const backends = ["ada", "bob"].map(() => scriptedBackend({ clock: ambient.clock, steps: [[wait(1_000), newAnswer("x")]] }));
    const run = coordinate({
      question: "q",
      ambient,
      store: failing(8, error),
      agents: backends.map((backend, index) => ({ id: `a${index}`, backend })),
    });
    const watched = (async () => {
      for await (const event of run) void event;
    })();
    const watching = expect(watched).rejects.toMatchObject({ code });
    await expect(runVirtual(ambient.clock, run.outcome)).rejects.toMatchObject({ code });
    await watching;
    await ambient.clock.settle();
    expect(backends.flatMap((backend) => backend.calls).every((call) => call.ended !== null)).toBe(true);
    expect(ambient.clock.sleepers()).toEqual([]);
    await expect(run.send({ type: "cancel_requested", reason: "late", texts: {} })).rejects.toMatchObject({ code });
  });

  it("a second runner of the same run loses at its first append", async () => {
    const inner = memoryStore();
    const first = await runTeam({ ada: [text("42")] }, { store: inner, runId: "r1" });
    // It read the log before the other had written.
    const stale: EventStore = { read: () => memoryStore().read("r1"), append: inner.append };
    const ambient = testAmbient();
    const run = coordinate({
      question: "q",
      ambient,
      store: stale,
      runId: "r1",
      agents: [{ id: "ada", backend: scriptedBackend({ steps: [text("7")] }) }],
    });
    await expect(runVirtual(ambient.clock, run.outcome)).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    expect(first.outcome.finalAnswer).toBe("42");
  });
});

describe("cancelling", () => {
  it("ends the run in order: work aborted, streamed text kept, exit code 4", async () => {
    const controller = new AbortController();
    const { outcome, facts, backends, ambient } = await runTeam(
      { ada: [[text("I was thin"), wait(1_000_000)]], bob: [newAnswer("done")] },
      {
        signal: controller.signal,
        meddle: (_run, { clock }) => void clock.sleepUntil(5_000, new AbortController().signal).then(() => controller.abort()),
      },
    );
    expect(outcome).toMatchObject({ status: "cancelled", exitCode: 4 });
    expect(factsOf(facts, "cancelled")).toMatchObject([{ reason: "cancelled by the user" }]);
    expect(backends["ada"]!.calls[0]?.ended).toBe("aborted");
    expect(ambient.clock.sleepers()).toEqual([]);
    expect(facts.at(-1)?.type).toBe("run_finished");
  });

  it("before the start: nothing is asked of any model", async () => {
    const { outcome, backends } = await runTeam({ ada: good, bob: other }, { signal: AbortSignal.abort("changed my mind") });
    expect(outcome.status).toBe("cancelled");
    expect(Object.values(backends).flatMap((backend) => backend.requests)).toEqual([]);
  });

  it("during the presentation: the stored answer is final, with what had been said", async () => {
    const { outcome, facts } = await runTeam(
      {
        ada: (request, index) => (textOf(request).includes("final result") ? [text("The fin"), stall()] : good(request, index)),
        bob: other,
      },
      {
        meddle: (run, { clock }) =>
          void clock
            .sleepUntil(5_000, new AbortController().signal)
            .then(() => run.send({ type: "cancel_requested", reason: "enough", texts: {} })),
      },
    );
    expect(outcome).toMatchObject({ status: "cancelled", finalAnswer: "good", winner: "ada", exitCode: 4 });
    expect(factsOf(facts, "presentation_finished")).toMatchObject([{ fallback: "skipped", partial: "The fin" }]);
  });

  it("a signal that aborts after the end changes nothing", async () => {
    const controller = new AbortController();
    const { outcome, run } = await runTeam({ ada: [text("42")] }, { signal: controller.signal });
    controller.abort();
    expect(await run.send({ type: "cancel_requested", reason: "late", texts: {} })).toEqual([]);
    expect(outcome.status).toBe("completed");
    expect(run.state().status).toBe("completed");
  });
});

describe("the limit of the whole run", () => {
  it("keeps the text of a running response as the answer when there is no other", async () => {
    const { outcome } = await runTeam(
      { ada: [[text("LRU, because"), stall()]], bob: () => stall() },
      { policy: { limits: { orchestratorMs: 10_000 } } },
    );
    expect(outcome).toMatchObject({ status: "timeout", exitCode: 3, finalAnswer: "LRU, because" });
  });

  it("text that was withdrawn is not kept", async () => {
    const { outcome } = await runTeam(
      { ada: [[text("half"), { is: "retried", waitMs: 100_000, message: "busy" }]], bob: () => stall() },
      { policy: { limits: { orchestratorMs: 10_000 } } },
    );
    expect(outcome).toMatchObject({ status: "timeout", exitCode: 3, finalAnswer: null });
  });
});

describe("going on after a crash", () => {
  it("cut after any decision, a run goes on to its end, repeats no finished work and keeps the bytes of its prompts", async () => {
    const whole = await runTeam({ ada: good, bob: other }, { runId: "r1" });
    const cuts = whole.facts.filter((fact) => fact.closes).map((fact) => fact.seq);
    for (const cut of cuts) {
      const store = memoryStore();
      const kept = whole.facts.slice(0, cut);
      await store.append("r1", 0, kept, "flushed");
      const ambient = testAmbient();
      await ambient.clock.advance(120_000);
      const resumed = await runTeam({ ada: good, bob: other }, { store, runId: "r1", ambient });
      expect(resumed.outcome.status).toBe("completed");
      expect(resumed.facts.slice(0, cut)).toEqual(kept);
      if (cut < whole.facts.length) expect(resumed.facts[cut]).toMatchObject({ type: "run_resumed", lastSeq: cut });
      const labels = factsOf(resumed.facts, "answer_submitted").map((fact) => fact.label);
      expect(new Set(labels).size).toBe(labels.length);
      for (const request of resumed.backends["ada"]!.requests) expect(textOf(request)).toContain("2026-01-01 00:00 UTC");
    }
  });

  it("a finished run is only read", async () => {
    const store = memoryStore();
    const whole = await runTeam({ ada: [text("42")] }, { store, runId: "r1" });
    const again = await runTeam({ ada: [text("43")] }, { store, runId: "r1" });
    expect(again.outcome).toEqual(whole.outcome);
    expect(again.facts).toEqual(whole.facts);
    expect(again.backends["ada"]!.requests).toEqual([]);
  });

  it("with other agents it is refused", async () => {
    const store = memoryStore();
    await runTeam({ ada: [text("42")] }, { store, runId: "r1" });
    await expect(runTeam({ bob: [text("43")] }, { store, runId: "r1" })).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
  });

  it("its time limit counts on, without the time in which nobody ran it", async () => {
    const hanging = { ada: () => stall(), bob: () => stall() };
    const limits = { stallMs: 30_000, policy: { limits: { orchestratorMs: 50_000 } } };
    const whole = await runTeam(hanging, { runId: "r1", ...limits });
    const store = memoryStore();
    const retried = whole.facts.findIndex((fact) => fact.type === "agent_failed");
    const cut = whole.facts.findIndex((fact, index) => index >= retried && fact.closes) + 1;
    expect(whole.facts[cut - 1]!.at - whole.facts[0]!.at).toBe(30_000);
    await store.append("r1", 0, whole.facts.slice(0, cut), "flushed");
    const ambient = testAmbient();
    await ambient.clock.advance(86_400_000);
    const resumed = await runTeam(hanging, { store, runId: "r1", ambient, ...limits });
    expect(resumed.outcome.status).toBe("timeout");
    expect(resumed.ambient.clock.monotonic()).toBe(86_400_000 + 20_000);
  });
});

describe("an executor of one's own", () => {
  const played = (play: (work: Work) => Promise<void>): Executor => ({ execute: play });
  const run = async (execute: (work: Work) => Promise<void>) => {
    const ambient = testAmbient();
    const agents = ["ada", "bob"].map((id) => ({ id, backend: scriptedBackend({}) }));
    const coordination = coordinate({ question: "q", ambient, agents, executor: played(execute) });
    const outcome = await runVirtual(ambient.clock, coordination.outcome);
    const facts: Recorded[] = [];
    for await (const event of coordination) if (isFact(event)) facts.push(event);
    return { outcome, facts };
  };

  it("work that ends without a claim has failed", async () => {
    const { facts, outcome } = await run(() => Promise.resolve());
    expect(factsOf(facts, "agent_failed").map((fact) => [fact.kind, fact.message])).toEqual([
      ["internal", "the work ended without an action"],
      ["internal", "the work ended without an action"],
    ]);
    expect(outcome.status).toBe("error");
  });

  it("work that throws has failed with its message, also at once", async () => {
    const { facts } = await run((work) => {
      if (work.effect.agent === "ada") throw new Error("at once");
      return Promise.reject(new Error("later"));
    });
    expect(
      factsOf(facts, "agent_failed")
        .map((fact) => fact.message)
        .toSorted(),
    ).toEqual(["at once", "later"]);
  });

  it("claims of work that was ended are dropped, reports are kept", async () => {
    const { facts } = await run(async (work) => {
      if (work.effect.kind === "analyse" || work.effect.kind === "paraphrase" || work.effect.kind === "divide") return;
      const { agent, round } = work.effect;
      if (work.effect.kind === "present") return void (await work.offer({ type: "presented", agent, content: "final" }));
      if (agent === "ada" && round === 0)
        await work.offer({ type: "answer_offered", agent, round, content: "a", fingerprint: "a", snapshot: null });
      else if (round > 0) await work.offer({ type: "vote_offered", agent, round, target: "agent1", reason: "r", confidence: null });
      else {
        // Later than ada's claims in bob's name, which must not count.
        for (let turn = 0; turn < 50; turn++) await Promise.resolve();
        await work.offer({ type: "round_failed", agent, round, kind: "internal", message: "no", text: "" });
      }
      expect(work.signal.aborted).toBe(true);
      for (const claimed of ["ada", "bob"])
        expect(
          await work.offer({ type: "answer_offered", agent: claimed, round: 0, content: "again", fingerprint: "again", snapshot: null }),
        ).toEqual([]);
      work.report({
        type: "usage_reported",
        agent,
        round,
        usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd: null },
      });
    });
    expect(factsOf(facts, "answer_submitted")).toHaveLength(1);
    expect(factsOf(facts, "usage_recorded").length).toBeGreaterThan(0);
  });
});

describe("watching", () => {
  const team = () => {
    const ambient = testAmbient();
    const backend = (): ReturnType<typeof scriptedBackend> =>
      scriptedBackend({ clock: ambient.clock, steps: [[text("thinking "), newAnswer("x")], vote("agent1", "fine"), text("final")] });
    return {
      ambient,
      run: coordinate({
        question: "q",
        ambient,
        agents: [
          { id: "ada", backend: backend() },
          {
            id: "bob",
            backend: scriptedBackend({
              clock: ambient.clock,
              respond: other,
            }),
          },
        ],
      }),
    };
  };

  it("a fact comes after the deltas that were passed on before it", async () => {
    const { events } = await runTeam({ ada: [[text("thinking"), newAnswer("x")], vote("agent1", "fine"), text("final")], bob: other });
    const names = events.filter((event) => !("agent" in event) || event.agent === "ada").map((event) => event.type);
    const at = (type: RunEvent["type"]): number => names.indexOf(type);
    expect(at("response_started")).toBeGreaterThan(at("round_started"));
    expect(at("content_delta")).toBeGreaterThan(at("response_started"));
    expect(at("answer_submitted")).toBeGreaterThan(at("content_delta"));
  });

  it("says why an agent waits, and when it no longer does", async () => {
    const late: Script = (request, index) => (index === 0 ? [wait(5_000), newAnswer("late")] : good(request, index));
    const { events } = await runTeam({ ada: good, bob: other, cyd: late });
    const held = (agent: string): readonly boolean[] =>
      events.flatMap((event) => (event.type === "gate" && event.agent === agent && event.gate === "first_answers" ? [event.held] : []));
    expect([held("ada"), held("bob"), held("cyd")]).toEqual([[true, false], [true, false], []]);
  });

  it("leaving the loop ends the watching, not the run; a late watcher still gets every fact", async () => {
    const { ambient, run } = team();
    const first = (async () => {
      for await (const event of run) if (event.type === "round_started") return event;
      return null;
    })();
    const outcome = await runVirtual(ambient.clock, run.outcome);
    expect((await first)?.type).toBe("round_started");
    expect(outcome.status).toBe("completed");
    const late: RunEvent[] = [];
    for await (const event of run) late.push(event);
    expect(late[0]?.type).toBe("run_started");
    expect(late.at(-1)?.type).toBe("run_finished");
    expect(late.every(isFact)).toBe(true);
  });

  it("nobody watching, or somebody who never reads, does not hold the run up", async () => {
    const { ambient, run } = team();
    const idle = run[Symbol.asyncIterator]();
    expect((await idle.next()).done).toBe(false);
    expect((await runVirtual(ambient.clock, run.outcome)).status).toBe("completed");
    await idle.return?.();
    expect(await idle.next()).toEqual({ done: true, value: undefined });
  });
});
