import type { Ambient, BackendAdapter, BackendEvent } from "@massgen/contracts";
import { describe, expect, it, onTestFinished } from "vitest";
import { testAmbient } from "../ambient.js";
import type { VirtualClock } from "../virtual-clock.js";
import { type ReplyKind, suiteReplies } from "./backend-replies.js";
import {
  eventually,
  flawsOf,
  messageCalls,
  messageText,
  type ObservedTurn,
  observeTurn,
  SUITE_REQUEST,
  streamedText,
  waitsOf,
  within,
} from "./observe-turn.js";

export interface BackendUnderTest {
  readonly backend: BackendAdapter;
  /**
   * The next requests get these replies, in order; the last one again and again. Gives `"unsupported"` when this API has
   * no such reply, and the test is skipped.
   */
  replyWith(...kinds: readonly ReplyKind[]): "unsupported" | undefined;
  /** Requests that have reached the vendor so far. */
  requestCount(): number;
  close?(): Promise<void>;
}

/** A backend whose vendor knows what to reply. */
interface Prepared extends BackendUnderTest {
  readonly clock: VirtualClock;
  /** Aborts when the test has ended or taken too long. */
  readonly over: AbortSignal;
}
interface Context {
  readonly signal: AbortSignal;
  skip(note?: string): never;
}
type Open = (context: Context, ...kinds: readonly ReplyKind[]) => Promise<Prepared>;

/** After an abort, by the contract. */
const ABORT_LIMIT_MS = 2000;

/**
 * Registers tests of every obligation of `BackendAdapter`. `open` gives a fresh backend in front of a scripted vendor: a
 * loopback server for HTTP adapters, a scripted `fetch`, or a fake agent process.
 *
 * The backend must take its time from `ambient.clock`, a virtual one that the suite moves. Its `fetch` is its own affair.
 *
 * @example
 * describeBackend("chat-completions", async (ambient) => {
 *   const vendor = await openVendor();
 *   const backend = createChatCompletions({ model: "m", apiKey: "k", baseUrl: vendor.url, ambient });
 *   return { backend, replyWith: (...kinds) => vendor.script(kinds), requestCount: () => vendor.requests.length, close: () => vendor.close() };
 * });
 */
export function describeBackend(name: string, open: (ambient: Omit<Ambient, "fetch">) => Promise<BackendUnderTest>): void {
  const prepare: Open = async (context, ...kinds) => {
    const { clock, ids, random } = testAmbient();
    const subject = await open({ clock, ids, random });
    onTestFinished(async () => {
      await subject.backend.dispose();
      await subject.close?.();
    });
    if (kinds.length > 0 && subject.replyWith(...kinds) === "unsupported")
      context.skip(`this API has no reply of kind ${kinds.join(", ")}`);
    return { ...subject, clock, over: context.signal };
  };

  describe(`${name} is a BackendAdapter`, () => {
    describeShape(prepare);
    describeReplies(prepare);
    describeRetries(prepare);
    describeAborts(prepare);
    describeIndependence(prepare);
  });
}

async function play(subject: Prepared): Promise<{ readonly events: readonly BackendEvent[]; readonly closing: BackendEvent }> {
  const turn = observeTurn(subject);
  const closing = await turn.closing;
  return { events: turn.events, closing };
}

function describeShape(prepare: Open): void {
  it("names itself and asks nobody before the first turn", async (context) => {
    const { backend, requestCount } = await prepare(context);
    expect(backend.specVersion).toBe(1);
    expect([backend.id, backend.model]).not.toContain("");
    expect(["host", "own"]).toContain(backend.capabilities.loop);
    expect(requestCount()).toBe(0);
  });

  const endingByThemselves: readonly ReplyKind[] = [
    "text",
    "text_without_usage",
    "tool_call",
    "two_tool_calls",
    "broken_arguments",
    "length",
    "refusal",
    "server_error",
    "rate_limited",
    "unauthorized",
    "context_overflow",
    "cut",
    "garbage",
  ];
  it.for(endingByThemselves)("opens with turn_start and closes exactly once, never throwing: %s", async (kind, context) => {
    const { events } = await play(await prepare(context, kind));
    expect(flawsOf(events)).toEqual([]);
  });

  it("may be disposed of more than once", async (context) => {
    const { backend } = await prepare(context);
    await backend.dispose();
    await backend.dispose();
  });
}

function describeReplies(prepare: Open): void {
  it("streams text whose pieces make up the message", async (context) => {
    const { events, closing } = await play(await prepare(context, "text"));
    expect(streamedText(events)).toBe(suiteReplies.text);
    expect(closing).toMatchObject({ type: "turn_end", reason: "stop", usage: suiteReplies.usage });
    expect(messageText(closing)).toBe(suiteReplies.text);
  });

  it("says that it has no usage, or that it estimated, when the vendor sent none", async (context) => {
    const { closing } = await play(await prepare(context, "text_without_usage"));
    expect(closing).toMatchObject({ type: "turn_end", reason: "stop" });
    if (closing.type === "turn_end" && closing.usage !== null) expect(closing.usage.estimated).toBe(true);
  });

  it("hands over a call whole, in the stream and in the message", async (context) => {
    const { events, closing } = await play(await prepare(context, "tool_call"));
    const calls = events.filter((event) => event.type === "tool_call");
    expect(calls).toMatchObject([{ ...suiteReplies.call, executedBy: "host" }]);
    expect(calls[0]?.inputError).toBeUndefined();
    expect(closing).toMatchObject({ type: "turn_end", reason: "tool_calls" });
    expect(messageCalls(closing)).toMatchObject([{ ...suiteReplies.call, callId: calls[0]?.callId }]);
  });

  it("keeps several calls of one response apart and in order", async (context) => {
    const { events, closing } = await play(await prepare(context, "two_tool_calls"));
    const calls = events.filter((event) => event.type === "tool_call");
    expect(calls).toMatchObject([suiteReplies.call, suiteReplies.secondCall]);
    expect(new Set(calls.map((call) => call.callId)).size).toBe(2);
    expect(messageCalls(closing).map((call) => call.callId)).toEqual(calls.map((call) => call.callId));
  });

  it("marks a call whose arguments cannot be read, instead of guessing or failing", async (context) => {
    const { events, closing } = await play(await prepare(context, "broken_arguments"));
    const call = events.find((event) => event.type === "tool_call");
    expect(call).toMatchObject({ tool: suiteReplies.call.tool, input: {} });
    expect(call?.inputError).toBeTruthy();
    expect(messageCalls(closing)).toMatchObject([{ input: {}, inputError: call?.inputError }]);
  });

  it("says that the token limit cut the response", async (context) => {
    expect((await play(await prepare(context, "length"))).closing).toMatchObject({ type: "turn_end", reason: "length" });
  });

  it("reports a refusal as the end of the turn, not as a failure of the connection", async (context) => {
    expect((await play(await prepare(context, "refusal"))).closing).toMatchObject({ type: "turn_end", reason: "refusal" });
  });

  it("takes an answer that is not the API's for a failure, not for an empty success", async (context) => {
    expect((await play(await prepare(context, "garbage"))).closing.type).toBe("turn_failed");
  });
}

function describeRetries(prepare: Open): void {
  it("tries a server error again, says so, and gets there", async (context) => {
    const subject = await prepare(context, "server_error", "text");
    const { events, closing } = await play(subject);
    expect(events.map((event) => event.type).slice(0, 2)).toEqual(["turn_start", "turn_retried"]);
    expect(messageText(closing)).toBe(suiteReplies.text);
    expect(subject.requestCount()).toBe(2);
  });

  it("waits on the injected clock, at least as long as the vendor asked", async (context) => {
    const subject = await prepare(context, "rate_limited", "text");
    const { events, closing } = await play(subject);
    expect(waitsOf(events)).toHaveLength(1);
    expect(waitsOf(events)[0]).toBeGreaterThanOrEqual(suiteReplies.retryAfterMs);
    expect(subject.clock.monotonic()).toBeGreaterThanOrEqual(suiteReplies.retryAfterMs);
    expect(closing.type).toBe("turn_end");
  });

  it("gives up a server that stays broken, as backend_transient and after a bounded number of announced attempts", async (context) => {
    const subject = await prepare(context, "server_error");
    const { events, closing } = await play(subject);
    expect(closing).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient" } });
    expect(waitsOf(events)).toHaveLength(subject.requestCount() - 1);
    expect(subject.requestCount()).toBeLessThanOrEqual(6);
  });

  it.for([
    ["unauthorized", "backend_fatal"],
    ["context_overflow", "context_overflow"],
  ] as const)("does not try again what cannot help: %s is %s at once", async ([reply, kind], context) => {
    const subject = await prepare(context, reply);
    const { events, closing } = await play(subject);
    expect(closing).toMatchObject({ type: "turn_failed", failure: { kind } });
    expect([waitsOf(events), subject.requestCount()]).toEqual([[], 1]);
  });

  it("fails a stream that keeps breaking off, and hands over what came of it", async (context) => {
    const { closing } = await play(await prepare(context, "cut"));
    expect(closing).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient" } });
    if (closing.type === "turn_failed") expect(suiteReplies.text.startsWith(closing.partial)).toBe(true);
  });

  it("voids what a broken attempt streamed: after the retry the text is there once", async (context) => {
    const { events, closing } = await play(await prepare(context, "cut", "text"));
    expect(waitsOf(events)).toHaveLength(1);
    expect(messageText(closing)).toBe(suiteReplies.text);
    expect(streamedText(events)).toBe(suiteReplies.text);
  });
}

function describeAborts(prepare: Open): void {
  it.for(["stall", "silence"] as const)("ends a turn within two seconds of an abort: %s", async (kind, context) => {
    const subject = await prepare(context, kind);
    const stop = new AbortController();
    const turn = observeTurn(subject, stop.signal);
    await eventually(() => (kind === "stall" ? streamedText(turn.events) !== "" : subject.requestCount() > 0), context.signal);
    await expectAborted(turn, stop);
  });

  it("ends a turn that is aborted while it waits for its next attempt", async (context) => {
    const subject = await prepare(context, "server_error");
    const stop = new AbortController();
    for await (const event of subject.backend.stream(SUITE_REQUEST, stop.signal)) {
      if (event.type === "turn_retried") {
        void subject.clock.settle().then(() => stop.abort());
      } else if (event.type !== "turn_start") {
        expect(event).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient" } });
      }
    }
    expect(stop.signal.aborted).toBe(true);
    expect(subject.requestCount()).toBe(1);
  });

  it("asks nobody when it is aborted already, and still opens and closes the turn", async (context) => {
    const subject = await prepare(context, "text");
    const stop = new AbortController();
    const turn = observeTurn(subject, AbortSignal.abort());
    await expectAborted(turn, stop);
    expect(turn.events.map((event) => event.type)).toEqual(["turn_start", "turn_failed"]);
    expect(subject.requestCount()).toBe(0);
  });

  it("lets its reader leave in the middle", async (context) => {
    const { backend } = await prepare(context, "stall");
    const leave = async (): Promise<void> => {
      for await (const event of backend.stream(SUITE_REQUEST, new AbortController().signal)) if (event.type === "text_delta") break;
    };
    await leave();
  });
}

async function expectAborted(turn: ObservedTurn, stop: AbortController): Promise<void> {
  stop.abort();
  expect(await within(ABORT_LIMIT_MS, turn.closing)).toMatchObject({ type: "turn_failed", failure: { kind: "backend_transient" } });
  expect(flawsOf(turn.events)).toEqual([]);
}

function describeIndependence(prepare: Open): void {
  it("runs two turns at once, neither knowing of the other", async (context) => {
    const subject = await prepare(context, "text");
    const [one, two] = await Promise.all([observeTurn(subject).closing, observeTurn(subject).closing]);
    expect([messageText(one), messageText(two)]).toEqual([suiteReplies.text, suiteReplies.text]);
  });

  it("remembers nothing: the turn after a failed one is as good as the first", async (context) => {
    const subject = await prepare(context, "unauthorized", "text");
    expect((await play(subject)).closing.type).toBe("turn_failed");
    expect((await play(subject)).closing.type).toBe("turn_end");
  });

  it("leaves the request as it was given", async (context) => {
    const before = structuredClone(SUITE_REQUEST);
    await play(await prepare(context, "tool_call"));
    expect(SUITE_REQUEST).toEqual(before);
  });
}
