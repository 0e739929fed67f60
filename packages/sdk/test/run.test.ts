import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MassgenError, type RunEvent } from "@massgen/contracts";
import { type Respond, type Simulator, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FinishedRun, RunOptions } from "../src/index.js";
import { run, runStream } from "../src/index.js";

let folder = "";
const simulators: Simulator[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-sdk-"));
});
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function team(
  respond: Respond,
  ids: readonly string[] = ["ada", "bob"],
): Promise<{ readonly simulator: Simulator; readonly options: RunOptions }> {
  const simulator = await startSimulator({ respond });
  simulators.push(simulator);
  const backend = (id: string) => ({
    type: "chatcompletion",
    model: `${id}-model`,
    base_url: simulator.baseUrl("chat_completions"),
    max_retries: 0,
  });
  return { simulator, options: { config: { agents: ids.map((id) => ({ id, backend: backend(id) })) }, env: {}, cwd: folder } };
}

const rejection = async (promise: Promise<unknown>): Promise<MassgenError> => {
  const reason = await promise.then(
    () => "resolved",
    (error: unknown) => error,
  );
  if (MassgenError.is(reason)) return reason;
  throw new Error(`no MassgenError but ${String(reason)}`);
};

describe("run", () => {
  it("gives the answer, who won and why, every answer and vote, and what it took", async () => {
    const { options } = await team(
      scriptedTeam({
        "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
        "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
      }),
    );
    const result = await run("Which cache policy?", options);
    expect(result).toMatchObject({
      status: "completed",
      finishReason: "completed",
      exitCode: 0,
      timedOut: false,
      attempts: 1,
      finalAnswer: "ARC it is.",
      winner: "bob",
      winnerLabel: "agent2.1",
      voteResults: { winner: "bob", vote_counts: { bob: 2 }, votes: { ada: { voted_for: "bob", reason: "adapts" } } },
      decision: { winner: "bob", consensus: "unanimous" },
      logDirectory: null,
      finalAnswerPath: null,
      message: null,
    });
    expect(result.answers.map(({ label, agentId, content }) => [label, agentId, content])).toEqual([
      ["agent1.1", "ada", "Use LRU."],
      ["agent2.1", "bob", "Use ARC."],
    ]);
    expect(result.usage.totalTokens).toBe(result.usage.promptTokens + result.usage.completionTokens);
    expect(result.usage.promptTokens).toBeGreaterThan(0);
  });

  it("resolves with a time limit's best answer, and says so", async () => {
    const { options } = await team(scriptedTeam({ "ada-model": [step.answer("Use LRU."), step.mute()], "bob-model": [step.mute()] }));
    expect(await run("Why?", { ...options, timeoutSeconds: 0.6 })).toMatchObject({
      status: "timeout",
      timedOut: true,
      exitCode: 3,
      finalAnswer: "Use LRU.",
      winner: "ada",
    });
  });

  it("rejects when it is cancelled before there is a final answer, with what is there", async () => {
    const { options } = await team(scriptedTeam({ "ada-model": [step.mute()], "bob-model": [step.mute()] }));
    const stop = new AbortController();
    const error = await rejection(
      run("Why?", { ...options, signal: stop.signal, onEvent: (event) => event.type === "round_started" && stop.abort() }),
    );
    expect(error).toMatchObject({ code: "RUN_CANCELLED", exitCode: 4, partial: { status: "cancelled", finalAnswer: null } });
  });

  it("EC01: rejects when every agent failed, with the run as it ended", async () => {
    const { options, simulator } = await team(() => ({ kind: "failure", status: 401 }));
    const error = await rejection(run("Why?", options));
    expect(error).toMatchObject({ code: "RUN_FAILED", exitCode: 2 });
    expect((error.partial as FinishedRun).voteResults.failed).toEqual(["ada", "bob"]);
    expect(simulator.requests).toHaveLength(2);
  });

  it("rejects before any request for a config, a key or a name that is not good", async () => {
    const { options, simulator } = await team(scriptedTeam());
    expect(await rejection(run("Why?", { ...options, config: { agents: [] } }))).toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    expect(await rejection(run("Why?", { ...options, config: "nope.yaml" }))).toMatchObject({ code: "CONFIG_NOT_FOUND", exitCode: 1 });
    expect(await rejection(run("Why?", { cwd: folder, env: {}, models: ["groq/a", "qwen/b"] }))).toMatchObject({
      code: "MISSING_API_KEY",
      exitCode: 1,
    });
    expect(await rejection(run("  ", options))).toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    expect(await rejection(run("Why?", { ...options, models: ["gpt-5"] }))).toMatchObject({ code: "USAGE" });
    expect(simulator.requests).toHaveLength(0);
  });

  it.each<[RunOptions, string]>([[{ tools: [{}] }, "tools"]])("refuses %j by name", async (more, name) => {
    const { options, simulator } = await team(scriptedTeam());
    expect(await rejection(run("Why?", { ...options, ...more }))).toMatchObject({
      code: "NOT_SUPPORTED",
      exitCode: 1,
      message: expect.stringContaining(`"${name}"`),
    });
    expect(simulator.requests).toHaveLength(0);
  });

  it("writes the answer to outputFile, and keeps the answer when it cannot", async () => {
    const { options } = await team(scriptedTeam(), ["solo"]);
    const { finalAnswer } = await run("Why?", { ...options, outputFile: "deep/answer.md" });
    expect(await readFile(join(folder, "deep/answer.md"), "utf8")).toBe(finalAnswer);
    const error = await rejection(run("Why?", { ...options, outputFile: "deep/answer.md/below-a-file" }));
    expect(error).toMatchObject({ code: "STORE_FAILED", partial: { status: "completed" } });
    expect((error.partial as FinishedRun).finalAnswer).toBeTruthy();
  });

  it("an error of onEvent cancels the run and rejects with it", async () => {
    const { options, simulator } = await team(scriptedTeam({ "ada-model": [step.mute()], "bob-model": [step.mute()] }));
    const fault = new Error("screen on fire");
    const running = run("Why?", {
      ...options,
      onEvent: (event) => {
        if (event.type === "round_started") throw fault;
      },
    });
    await expect(running).rejects.toBe(fault);
    expect(simulator.requests.every(({ lastByteAtMs }) => lastByteAtMs === null)).toBe(true);
  });

  it("tells the model what was said before", async () => {
    const { options, simulator } = await team(scriptedTeam(), ["solo"]);
    await run("And now?", {
      ...options,
      conversationHistory: [
        { role: "user", content: "My name is Zoe." },
        { role: "assistant", content: "Hello Zoe." },
      ],
    });
    expect(simulator.requests[0]?.canonicalText).toContain("My name is Zoe.");
  });

  it("runs side by side without knowing of each other", async () => {
    const teams = await Promise.all(
      ["one", "two", "three"].map((word) => team(scriptedTeam({ "solo-model": [step.text(`answer ${word}`)] }), ["solo"])),
    );
    const results = await Promise.all(teams.map(({ options }) => run("Why?", options)));
    expect(results.map(({ finalAnswer }) => finalAnswer)).toEqual(["answer one", "answer two", "answer three"]);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  it("uses the fetch it is given", async () => {
    const { options } = await team(scriptedTeam(), ["solo"]);
    const asked: string[] = [];
    await run("Why?", {
      ...options,
      fetch: (input, init) => {
        asked.push(String(input instanceof Request ? input.url : input));
        return fetch(input, init);
      },
    });
    expect(asked).toEqual([expect.stringContaining("/chat/completions")]);
  });
});

describe("runStream", () => {
  it("gives every fact from the first on, the passing texts, and the result", async () => {
    const { options } = await team(scriptedTeam());
    const stream = runStream("Why?", options);
    const events: RunEvent[] = [];
    for await (const event of stream) events.push(event);
    const facts = events.filter((event) => "seq" in event);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1));
    expect(facts[0]?.type).toBe("run_started");
    expect(facts.at(-1)?.type).toBe("run_finished");
    expect(events.some((event) => event.type === "content_delta")).toBe(true);
    expect((await stream.result).finalAnswer).toBeTruthy();
  });

  it("throws to whoever iterates what keeps it from starting, and rejects the result with it", async () => {
    const stream = runStream("Why?", { config: "nope.yaml", cwd: folder, env: {} });
    const iterate = async (): Promise<void> => {
      for await (const _ of stream) throw new Error("an event");
    };
    expect(await rejection(iterate())).toMatchObject({ code: "CONFIG_NOT_FOUND" });
    expect(await rejection(stream.result)).toMatchObject({ code: "CONFIG_NOT_FOUND" });
  });

  it("asks for the result: no new answers once all have one, and only once", async () => {
    const { options } = await team(scriptedTeam());
    const stream = runStream("Why?", options);
    const taken: boolean[] = [];
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "round_started" && event.round === 0 && taken.length < 2) taken.push(await stream.answerNow("in a hurry"));
    }
    expect(taken).toEqual([true, false]);
    expect(types).toContain("answers_closed");
    expect((await stream.result).status).toBe("completed");
    expect(await stream.answerNow()).toBe(false);
  });

  it("says something to the agents while they work, and refuses what nobody could mean", async () => {
    const { options } = await team(scriptedTeam());
    const stream = runStream("Why?", options);
    const facts: RunEvent[] = [];
    const taken: boolean[] = [];
    for await (const event of stream) {
      if (event.type === "input_received" || event.type === "input_delivered") facts.push(event);
      if (event.type !== "round_started" || event.round > 0 || taken.length > 0) continue;
      taken.push(await stream.send("The server has 512 MB."), await stream.send("You most of all.", { agent: "bob" }));
      expect(await rejection(stream.send("Hello?", { agent: "cyd" }))).toMatchObject({ code: "USAGE", hint: "Its agents are ada, bob." });
      expect(await rejection(stream.send(" \n"))).toMatchObject({ code: "USAGE" });
      expect(await rejection(stream.send("x".repeat(50_001)))).toMatchObject({ code: "USAGE" });
    }
    expect(taken).toEqual([true, true]);
    expect(facts.filter(({ type }) => type === "input_received")).toMatchObject([{ agents: ["ada", "bob"] }, { agents: ["bob"] }]);
    expect(facts.filter(({ type }) => type === "input_delivered").length).toBeGreaterThan(1);
    expect(await stream.send("Too late.")).toBe(false);
  });

  it("a run that cannot start has no result to ask for", async () => {
    const stream = runStream("Why?", { config: "nope.yaml", cwd: folder, env: {} });
    expect(await stream.answerNow()).toBe(false);
  });

  it("EC72: a configured voting method reaches the kernel, and the result says why it won", async () => {
    const { options } = await team(
      scriptedTeam({
        "ada-model": [step.answer("Use LRU."), step.vote("agent1", "mine")],
        "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine")],
      }),
    );
    const config = { ...(options.config as object), orchestrator: { voting_method: "weighted_by_confidence", self_vote_weight: 0.5 } };
    const { decision } = await run("Which cache policy?", { ...options, config });
    expect(decision).toMatchObject({
      tally: [{ weight: 0.25 }, { weight: 0.25 }],
      tie_broken_by: "registration_order",
      rule_text:
        "agent1.1 and agent2.1 had a weight of 0.25 each; agent1.1 of agent1 (ada) won the tie by the earlier place in the configuration.",
    });
    expect(decision?.what_if[0]).toMatchObject({ without: "ada", outcome: "other", labels: ["agent2.1"] });
  });

  it("goes on when the loop is left", async () => {
    const { options } = await team(scriptedTeam());
    const stream = runStream("Why?", options);
    for await (const event of stream) if (event.type === "run_started") break;
    expect((await stream.result).status).toBe("completed");
  });
});
