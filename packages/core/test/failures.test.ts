import type { AssistantMessage, BackendAdapter, BackendEvent, TurnRequest } from "@massgen/contracts";
import { cut, fail, lengthLimit, newAnswer, refusal, retried, stall, text, toolCall, vote, wait } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { basicCapabilities, coordinate } from "../src/index.js";
import { factsOf, lastMessage, messageText, runTeam, type Script, textOf } from "./support/run-team.js";
import { after, said, tool } from "./support/tool.js";

const good: Script = (request) =>
  textOf(request).includes("final result")
    ? text("final")
    : textOf(request).includes("<current_answers>")
      ? vote("agent1", "fine")
      : newAnswer("good");

describe("backends that fail", () => {
  it("EC68: an agent whose backend goes silent is tried once more, then fails; the others are not held up", async () => {
    const { facts, backends, outcome, ambient } = await runTeam({ ada: good, bob: () => stall() }, { stallMs: 30_000 });
    expect(factsOf(facts, "agent_failed")).toMatchObject([
      { agent: "bob", kind: "stall", fatal: false },
      { agent: "bob", kind: "stall", fatal: true },
    ]);
    expect(backends["bob"]!.calls.map((call) => call.ended)).toEqual(["aborted", "aborted"]);
    expect(outcome).toMatchObject({ status: "completed", winner: "ada" });
    expect(ambient.clock.monotonic()).toBe(60_000);
  });

  it("time in a tool is no silence", async () => {
    const slow = tool("slow", (_input, context) => after(100_000, "slow", context));
    const { facts } = await runTeam(
      { ada: good, bob: [toolCall("slow"), newAnswer("bob's"), vote("agent1", "fine")] },
      { stallMs: 30_000, agents: { bob: { tools: [slow] } } },
    );
    expect(factsOf(facts, "agent_failed")).toEqual([]);
  });

  it("a wait the adapter announced is no silence, and what it streamed before is withdrawn", async () => {
    const { facts, deltas } = await runTeam(
      { ada: good, bob: [[text("half"), retried(60_000), newAnswer("bob's")], vote("agent1", "fine")] },
      { stallMs: 30_000 },
    );
    expect(factsOf(facts, "agent_failed")).toEqual([]);
    expect(factsOf(facts, "llm_call").filter((fact) => fact.status === "retrying")).toHaveLength(1);
    expect(deltas.filter((delta) => delta.type === "content_discarded")).toMatchObject([{ agent: "bob", waitMs: 60_000 }]);
  });

  it("a transient failure begins a fresh conversation once; a second one ends the agent", async () => {
    const { facts, backends } = await runTeam({ ada: good, bob: [[text("ha"), cut()], [newAnswer("bob's")], cut()] });
    expect(factsOf(facts, "agent_failed")).toMatchObject([
      { kind: "backend_transient", fatal: false, lastText: "ha" },
      { kind: "backend_transient", fatal: true },
    ]);
    expect(backends["bob"]!.requests[1]!.messages).toHaveLength(2);
  });

  it("a fatal failure ends the agent at once", async () => {
    const { facts, backends, outcome } = await runTeam({ ada: good, bob: [fail("backend_fatal")] });
    expect(factsOf(facts, "agent_failed")).toMatchObject([{ agent: "bob", kind: "backend_fatal", fatal: true }]);
    expect(backends["bob"]!.requests).toHaveLength(1);
    expect(outcome.winner).toBe("ada");
  });

  it("a model that declines ends its agent at once, and its words are no answer", async () => {
    const { facts, outcome } = await runTeam({ ada: [refusal("I cannot help with that.")], bob: [refusal("Neither can I.")] });
    expect(factsOf(facts, "agent_failed")).toMatchObject([
      { kind: "backend_fatal", message: "the model declined: I cannot help with that.", fatal: true, lastText: "" },
      { kind: "backend_fatal", lastText: "" },
    ]);
    expect(outcome).toMatchObject({ status: "error", finalAnswer: null, exitCode: 2 });
    expect(outcome.message).toContain("Neither can I.");
  });

  it("text of a failed agent is kept when there is nothing else", async () => {
    const { outcome } = await runTeam({ ada: [text("LRU"), text("LRU"), text("LRU is best")], bob: [fail("backend_fatal")] });
    expect(outcome).toMatchObject({ status: "partial", finalAnswer: "LRU is best", exitCode: 2 });
  });

  it.each<[string, (signal: AbortSignal) => AsyncIterable<BackendEvent>]>([
    [
      "throws at once",
      () => {
        throw new Error("no socket");
      },
    ],
    [
      "throws in the middle",
      async function* () {
        yield { type: "text_delta", text: "x" };
        throw new Error("no socket");
      },
    ],
    [
      "ends without a closing event",
      async function* () {
        yield { type: "text_delta", text: "x" };
      },
    ],
  ])("a hand-made backend that %s fails like any other", async (_name, stream) => {
    const broken: BackendAdapter = {
      specVersion: 1,
      id: "broken",
      model: "b",
      capabilities: basicCapabilities,
      stream: (_request, signal) => stream(signal),
      dispose: () => Promise.resolve(),
    };
    const outcome = await coordinate({ question: "q", agents: [{ id: "a", backend: broken }] }).outcome;
    expect(outcome.status === "error" || outcome.status === "partial").toBe(true);
  });
});

describe("backends made by hand", () => {
  const made = (...turns: readonly (readonly BackendEvent[])[]): { readonly backend: BackendAdapter; readonly requests: TurnRequest[] } => {
    const requests: TurnRequest[] = [];
    const backend: BackendAdapter = {
      specVersion: 1,
      id: "made",
      model: "m",
      capabilities: basicCapabilities,
      dispose: () => Promise.resolve(),
      async *stream(request) {
        yield* turns[requests.push(request) - 1] ?? [];
      },
    };
    return { backend, requests };
  };
  const end = (parts: AssistantMessage["parts"]): BackendEvent => ({
    type: "turn_end",
    reason: "stop",
    message: { role: "assistant", parts },
    usage: null,
  });

  it("a call that the backend ran itself is not run again; its result stays in the history", async () => {
    const call = { type: "tool_call", callId: "c1", tool: "search", input: {} } as const;
    const mine = { ...call, callId: "c2", tool: "now" };
    const { backend, requests } = made(
      [
        { ...call, executedBy: "backend" },
        { type: "tool_result", callId: "c1", output: said("found") },
        { ...mine, executedBy: "host" },
        end([call, mine]),
      ],
      [end([{ type: "text", text: "done" }])],
    );
    const outcome = await coordinate({ question: "q", agents: [{ id: "ada", backend, tools: [tool("now", () => said("noon"))] }] }).outcome;
    expect(outcome.finalAnswer).toBe("done");
    expect(requests[1]?.messages.at(-1)).toEqual({
      role: "tool",
      results: [
        { callId: "c1", output: said("found") },
        { callId: "c2", output: said("noon") },
      ],
    });
  });

  it("what it streamed before it tried again is no partial text", async () => {
    const again: BackendEvent = { type: "turn_retried", attempt: 1, waitMs: 0, message: "busy" };
    const turn: readonly BackendEvent[] = [{ type: "text_delta", text: "half" }, again, { type: "text_delta", text: "other" }];
    const { backend } = made(turn, turn);
    const outcome = await coordinate({ question: "q", agents: [{ id: "ada", backend }] }).outcome;
    expect(outcome).toMatchObject({ status: "partial", finalAnswer: "other" });
  });

  it("warnings of a backend are shown", async () => {
    const { backend } = made([
      { type: "turn_start", model: "m", warnings: ["temperature is ignored"] },
      end([{ type: "text", text: "done" }]),
    ]);
    const notices: unknown[] = [];
    for await (const event of coordinate({ question: "q", agents: [{ id: "ada", backend }] }))
      if (event.type === "notice") notices.push(event.message);
    expect(notices).toEqual(["temperature is ignored"]);
  });
});

describe("the token limit", () => {
  const save = (runs: string[]) =>
    tool("save", (input) => {
      runs.push(JSON.stringify(input));
      return said("saved");
    });

  it("a response cut by it is told to go on briefly, without costing an attempt", async () => {
    const { facts, backends } = await runTeam({
      ada: good,
      bob: [[text("On the one hand"), lengthLimit("call of save was cut off")], newAnswer("bob's"), vote("agent1", "fine")],
    });
    expect(factsOf(facts, "enforcement_retry")).toEqual([]);
    expect(messageText(lastMessage(backends["bob"]!.requests[1]))).toContain("cut off by the token limit");
  });

  it("a second cut in a row is a missing action whose text names the limit", async () => {
    const chopped = [text("On the"), lengthLimit()];
    const { facts } = await runTeam({ ada: good, bob: [chopped, chopped, newAnswer("bob's"), vote("agent1", "fine")] });
    expect(factsOf(facts, "enforcement_retry")).toMatchObject([{ code: "no_tool_calls", attempt: 1 }]);
    expect(factsOf(facts, "enforcement_retry")[0]?.message).toContain("token limit");
  });

  it("for ever at the limit: bounded, and the failure names it", async () => {
    const { facts, backends } = await runTeam({ ada: good, bob: () => [lengthLimit("call of save was cut off")] });
    expect(backends["bob"]!.requests).toHaveLength(4);
    expect(factsOf(facts, "agent_failed")[0]?.message).toContain("token limit");
  });

  it("one agent alone: two parts of a text are one answer; a call that was cut is never run", async () => {
    const runs: string[] = [];
    const { outcome, backends } = await runTeam(
      { ada: [[text("Half an an"), lengthLimit()], text("swer.")] },
      { agents: { ada: { tools: [save(runs)] } } },
    );
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "Half an answer." });
    expect(backends["ada"]!.requests).toHaveLength(2);
    expect(runs).toEqual([]);
  });

  it("one agent alone, for ever at the limit with text: the text is the answer, with a warning", async () => {
    const { outcome, deltas } = await runTeam({ ada: () => [text("la "), lengthLimit()] });
    expect(outcome).toMatchObject({ status: "completed", finalAnswer: "la la" });
    expect(deltas.filter((delta) => delta.type === "notice").at(-1)).toMatchObject({
      level: "warning",
      message: expect.stringContaining("token limit"),
    });
  });

  it("one agent alone, for ever at the limit without text: bounded, and the failure names it", async () => {
    const { outcome, backends } = await runTeam({ ada: () => lengthLimit("call of save was cut off") });
    expect(outcome).toMatchObject({ status: "error", exitCode: 2, message: expect.stringContaining("token limit") });
    expect(backends["ada"]!.requests.length).toBeLessThanOrEqual(6);
  });
});

it("two hundred responses without an action count as missing ones from then on", async () => {
  const spin = tool("spin", () => said("round"));
  const { facts, backends } = await runTeam({ ada: good, bob: () => toolCall("spin") }, { agents: { bob: { tools: [spin] } } });
  expect(factsOf(facts, "enforcement_retry").map((fact) => fact.code)).toEqual([
    "no_workflow_tool",
    "no_workflow_tool",
    "no_workflow_tool",
  ]);
  expect(backends["bob"]!.requests).toHaveLength(203);
});

it("records each call with the time to its first token and its duration", async () => {
  const { facts } = await runTeam({ ada: [[wait(700), text("hello"), wait(300)]] });
  const calls = factsOf(facts, "llm_call");
  expect(calls.map(({ status, ttftMs, durationMs, purpose }) => ({ status, ttftMs, durationMs, purpose }))).toEqual([
    { status: "started", ttftMs: null, durationMs: null, purpose: "work" },
    { status: "finished", ttftMs: 700, durationMs: 1000, purpose: "work" },
  ]);
  expect(new Set(calls.map((call) => call.callId)).size).toBe(1);
  expect(factsOf(facts, "usage_recorded")).toHaveLength(1);
});
