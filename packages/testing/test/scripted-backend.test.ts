import type { BackendEvent, TurnRequest } from "@massgen/contracts";
import {
  brokenCall,
  cut,
  fail,
  lengthLimit,
  newAnswer,
  ownCall,
  reasoning,
  refusal,
  retried,
  runVirtual,
  type ScriptedBackend,
  type ScriptedBackendOptions,
  scriptedBackend,
  stall,
  type Turn,
  text,
  toolCall,
  usage,
  virtualClock,
  vote,
  wait,
} from "@massgen/testing";
import { describe, expect, it } from "vitest";

const request: TurnRequest = {
  messages: [
    { role: "system", text: "Be brief." },
    { role: "user", parts: [{ type: "text", text: "Which cache policy?" }] },
  ],
  tools: [],
  toolChoice: "auto",
  maxOutputTokens: null,
  options: {},
};
const never = new AbortController().signal;

async function collect(backend: ScriptedBackend, signal: AbortSignal = never): Promise<readonly BackendEvent[]> {
  const events: BackendEvent[] = [];
  for await (const event of backend.stream(request, signal)) events.push(event);
  return events;
}
const play = (turn: Turn, options: ScriptedBackendOptions = {}): Promise<readonly BackendEvent[]> =>
  collect(scriptedBackend({ steps: [turn], ...options }));
const kinds = (events: readonly BackendEvent[]): readonly string[] => events.map((event) => event.type);
const last = (events: readonly BackendEvent[]): BackendEvent => events.at(-1)!;

describe("scriptedBackend", () => {
  it("starts with turn_start and ends with the whole message", async () => {
    const events = await play([reasoning("Hm."), text("Use LRU.")]);
    expect(kinds(events)).toEqual(["turn_start", "reasoning_delta", "text_delta", "turn_end"]);
    expect(last(events)).toMatchObject({
      reason: "stop",
      message: {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Use LRU." },
        ],
      },
      usage: { inputTokens: 9, outputTokens: 3, reasoningTokens: 1, costUsd: null },
    });
  });

  it("makes several calls in one response, each with an id of its own", async () => {
    const events = await play([text("Let me see."), toolCall("read_file", { path: "a.ts" }), vote("agent2", "Complete.", 0.8)]);
    const calls = events.filter((event) => event.type === "tool_call");
    expect(calls).toMatchObject([
      { tool: "read_file", input: { path: "a.ts" }, executedBy: "host" },
      { tool: "vote", input: { agent_id: "agent2", reason: "Complete.", confidence: 0.8 } },
    ]);
    expect(new Set(calls.map((call) => call.callId)).size).toBe(2);
    expect(last(events)).toMatchObject({
      type: "turn_end",
      reason: "tool_calls",
      message: { parts: [{ type: "text" }, { tool: "read_file" }, { tool: "vote" }] },
    });
  });

  it("hands over arguments that are no JSON as inputError", async () => {
    const events = await play(brokenCall("new_answer", '{"content": "cut'));
    expect(events.find((event) => event.type === "tool_call")).toMatchObject({ input: {}, inputError: '{"content": "cut' });
  });

  it("plays calls of a runtime that runs its own tools", async () => {
    const events = await play([ownCall("shell", { cmd: "ls" }, "a.ts"), text("One file.")]);
    expect(kinds(events)).toEqual(["turn_start", "tool_input_delta", "tool_call", "tool_result", "text_delta", "turn_end"]);
    expect(last(events)).toMatchObject({ reason: "stop", message: { parts: [{ type: "text" }] } });
  });

  it.each(["backend_transient", "backend_fatal", "context_overflow", "internal"] as const)(
    "fails with kind %s and keeps what came before",
    async (kind) => {
      const events = await play([text("So far"), fail(kind, { retryAfterMs: 5 }), text("never said")]);
      expect(kinds(events)).toEqual(["turn_start", "text_delta", "turn_failed"]);
      expect(last(events)).toMatchObject({ failure: { kind, retryAfterMs: 5 }, partial: "So far" });
    },
  );

  it("breaks off, is cut by the token limit, and refuses", async () => {
    expect(last(await play([text("Half an ans"), cut()]))).toMatchObject({
      failure: { kind: "backend_transient", status: null },
      partial: "Half an ans",
    });
    expect(last(await play([text("Long"), lengthLimit("new_answer was cut.")]))).toMatchObject({
      reason: "length",
      warning: "new_answer was cut.",
    });
    expect(last(await play(refusal("I would rather not.")))).toMatchObject({
      reason: "refusal",
      message: { parts: [{ text: "I would rather not." }] },
    });
  });

  it("voids what it streamed before a retry, and waits on the clock", async () => {
    const clock = virtualClock();
    const events = await runVirtual(clock, play([text("void"), retried(2000), text("good")], { clock }));
    expect(kinds(events)).toEqual(["turn_start", "text_delta", "turn_retried", "text_delta", "turn_end"]);
    expect(last(events)).toMatchObject({ message: { parts: [{ text: "good" }] } });
    expect(clock.monotonic()).toBe(2000);
  });

  it("stalls until it is aborted", async () => {
    const stop = new AbortController();
    const backend = scriptedBackend({ steps: [[text("Wait…"), stall()]] });
    const events = collect(backend, stop.signal);
    await virtualClock().settle();
    expect(backend.calls[0]!.ended).toBeNull();
    stop.abort();
    expect(last(await events)).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient" }, partial: "Wait…" });
    expect(backend.calls[0]!.ended).toBe("aborted");
  });

  it("still opens and closes a turn that was aborted before it began", async () => {
    expect(kinds(await collect(scriptedBackend({ steps: [text("x")] }), AbortSignal.abort()))).toEqual(["turn_start", "turn_failed"]);
  });

  it("aborts in the middle of a wait", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const backend = scriptedBackend({ clock, steps: [[wait(60_000), text("late")]] });
    const events = collect(backend, stop.signal);
    await clock.advance(100);
    stop.abort();
    expect(kinds(await events)).toEqual(["turn_start", "turn_failed"]);
    expect(backend.calls[0]).toMatchObject({ startedAtMs: 0, endedAtMs: 100, ended: "aborted" });
  });

  it("takes the time a model would, to the millisecond", async () => {
    const clock = virtualClock();
    const backend = scriptedBackend({
      clock,
      latency: { firstTokenMs: 800, tokensPerSecond: 100 },
      steps: [text("abcd".repeat(600)), newAnswer("x")],
    });
    const times: number[] = [];
    const first = (async () => {
      for await (const event of backend.stream(request, never)) if (event.type === "text_delta") times.push(clock.monotonic());
    })();
    await runVirtual(clock, first);
    expect(times).toHaveLength(30);
    expect([times[0], times.at(-1), clock.monotonic()]).toEqual([1000, 6800, 6800]);
  });

  it("reports the usage of the script instead of its own count", async () => {
    expect(last(await play([text("x"), usage({ inputTokens: 10, cachedTokens: 4 })]))).toMatchObject({
      usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 0 },
    });
    expect(last(await play([text("x"), usage(null)]))).toMatchObject({ usage: null });
  });

  it("answers by what it was asked, and remembers every request", async () => {
    const backend = scriptedBackend({ respond: (asked, call) => text(`${call}: ${asked.messages.length} messages`) });
    expect(last(await collect(backend))).toMatchObject({ message: { parts: [{ text: "0: 2 messages" }] } });
    expect(last(await collect(backend))).toMatchObject({ message: { parts: [{ text: "1: 2 messages" }] } });
    expect(backend.requests).toEqual([request, request]);
  });

  it("fails, and does not throw, beyond its script or when the script throws", async () => {
    expect(last(await collect(scriptedBackend({ steps: [] })))).toMatchObject({
      failure: { kind: "internal", message: expect.stringContaining("call 1") },
    });
    const throwing = scriptedBackend({
      respond: () => {
        throw new Error("no idea");
      },
    });
    expect(last(await collect(throwing))).toMatchObject({ failure: { kind: "internal", message: expect.stringContaining("no idea") } });
    expect(last(await play(wait(5)))).toMatchObject({ failure: { kind: "internal", message: expect.stringContaining("clock") } });
  });

  it("notices a reader that leaves", async () => {
    const backend = scriptedBackend({ steps: [[text("a"), text("b")]] });
    for await (const event of backend.stream(request, never)) if (event.type === "text_delta") break;
    expect(backend.calls[0]!.ended).toBe("left");
  });

  it("serves two calls at once without mixing them up", async () => {
    const clock = virtualClock();
    const backend = scriptedBackend({ clock, steps: [[wait(10), text("slow")], text("fast")] });
    const both = Promise.all([collect(backend), collect(backend)]);
    const [slow, fast] = await runVirtual(clock, both);
    expect(last(slow)).toMatchObject({ message: { parts: [{ text: "slow" }] } });
    expect(last(fast)).toMatchObject({ message: { parts: [{ text: "fast" }] } });
  });
});
