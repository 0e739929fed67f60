import type { BackendEvent, Usage } from "@massgen/contracts";
import { testAmbient } from "@massgen/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AttemptError, type AttemptEvent, fatal, runTurn, type TurnOptions, transient } from "../src/index.js";

const usage: Usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, reasoningTokens: 0, costUsd: null };
const text = (piece: string): AttemptEvent => ({ type: "text_delta", text: piece });
const end = (content: string): AttemptEvent => ({
  type: "turn_end",
  reason: "stop",
  message: { role: "assistant", parts: [{ type: "text", text: content }] },
  usage,
});

/** `refused`: what follows happens before the vendor has accepted the request. */
type Step = AttemptEvent | Error | "never" | "refused";

/** Plays one list of steps per attempt, the last again and again. */
function attempts(...scripts: readonly (readonly Step[])[]): TurnOptions["attempt"] {
  return async ({ number }) => {
    const script = scripts[Math.min(number, scripts.length) - 1] ?? [];
    if (script[0] === "refused" && script[1] instanceof Error) throw script[1];
    return stream(script);
  };
}

async function* stream(script: readonly Step[]): AsyncGenerator<AttemptEvent> {
  for (const step of script) {
    if (step === "never") await new Promise(() => {});
    else if (step instanceof Error) throw step;
    else if (step !== "refused") yield step;
  }
}

async function play(attempt: TurnOptions["attempt"], options: Partial<TurnOptions> = {}) {
  const ambient = testAmbient();
  const events: BackendEvent[] = [];
  const turn = runTurn({ model: "m", who: "Vendor (m)", attempt, ambient, signal: new AbortController().signal, ...options });
  for await (const event of turn) {
    events.push(event);
    if (event.type === "turn_retried" && event.waitMs > 0) void ambient.clock.settle().then(() => ambient.clock.advance(event.waitMs));
  }
  return { events, types: events.map(({ type }) => type), closing: events.at(-1), clock: ambient.clock };
}

describe("a turn", () => {
  it("opens with turn_start and closes with what the attempt ended with", async () => {
    const { events } = await play(attempts([text("a"), end("a")]), { prepare: () => ["mind the gap"] });
    expect(events).toEqual([{ type: "turn_start", model: "m", warnings: ["mind the gap"] }, text("a"), end("a")]);
  });

  it("says nothing after its closing event, whatever the attempt still has to say", async () => {
    expect((await play(attempts([end("a"), text("more"), new Error("late")]))).types).toEqual(["turn_start", "turn_end"]);
  });

  it("an attempt that ends without closing is a response that broke off", async () => {
    const { types, closing } = await play(attempts([text("half")]));
    expect(types.filter((type) => type !== "text_delta")).toEqual(["turn_start", "turn_retried", "turn_retried", "turn_failed"]);
    expect(closing).toMatchObject({
      type: "turn_failed",
      failure: { kind: "backend_transient", message: "Vendor (m) ended its response without saying that it was complete." },
    });
  });

  it("what failed in preparation is a failed turn, not a throw, and asks nobody", async () => {
    let asked = 0;
    const { types, closing } = await play(
      () => {
        asked++;
        return attempts([end("a")])({} as never);
      },
      {
        prepare() {
          throw new TypeError("no such thing");
        },
      },
    );
    expect([types, asked]).toEqual([["turn_start", "turn_failed"], 0]);
    expect(closing).toMatchObject({ failure: { kind: "internal", message: expect.stringContaining("no such thing") } });
  });

  it.each([
    ["in the stream", attempts([new TypeError("x of undefined, key sk-abcdefgh12345678")])],
    [
      "before the stream",
      () => {
        throw new TypeError("x of undefined, key sk-abcdefgh12345678");
      },
    ],
  ])("an exception nobody expected is internal, once, and without secrets: %s", async (_, attempt) => {
    const { types, closing } = await play(attempt);
    expect(types).toEqual(["turn_start", "turn_failed"]);
    expect(closing).toMatchObject({
      failure: {
        kind: "internal",
        message: "The adapter of Vendor (m) broke: x of undefined, key [REDACTED]. This is a bug in the adapter.",
      },
    });
  });

  it("always opens and closes exactly once, whatever attempts do", async () => {
    const step: fc.Arbitrary<Step> = fc.constantFrom<Step>(
      "refused",
      text("a"),
      end("a"),
      new Error("boom"),
      new AttemptError(transient("cut")),
      new AttemptError(fatal("no")),
      new AttemptError({ ...transient("fixed"), retry: "repaired" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 5 }), async (scripts) => {
        const { types } = await play(attempts(...scripts));
        expect(types[0]).toBe("turn_start");
        expect(types.filter((type) => type === "turn_end" || type === "turn_failed")).toEqual([types.at(-1)]);
        expect(types.filter((type) => type === "turn_start")).toHaveLength(1);
      }),
    );
  });
});

describe("retries", () => {
  const cut = new AttemptError(transient("cut"));

  it("three for requests that failed before a stream opened", async () => {
    const { events } = await play(attempts(["refused", cut]));
    expect(events.filter(({ type }) => type === "turn_retried").map((event) => event.type === "turn_retried" && event.attempt)).toEqual([
      1, 2, 3,
    ]);
  });

  it("two for streams that broke off", async () => {
    const { types } = await play(attempts([text("half"), cut]));
    expect(types.filter((type) => type === "turn_retried")).toHaveLength(2);
  });

  it("the two kinds are counted apart, so a turn costs six requests at most", async () => {
    const { types } = await play(attempts(["refused", cut], [cut], ["refused", cut], [cut], ["refused", cut], ["refused", cut]));
    expect(types.filter((type) => type === "turn_retried")).toHaveLength(5);
  });

  it("a repair is no retry: it follows at once and uses none up", async () => {
    const repaired = new AttemptError({ ...fatal("refused, asking again without it", 400), retry: "repaired" });
    const { events } = await play(attempts(["refused", repaired], ["refused", cut], ["refused", cut], ["refused", cut], [end("a")]));
    expect(events.flatMap((event) => (event.type === "turn_retried" ? [event.waitMs === 0] : []))).toEqual([true, false, false, false]);
    expect(events.at(-1)?.type).toBe("turn_end");
  });

  it("repairs that cure nothing end", async () => {
    const { types } = await play(attempts([new AttemptError({ ...fatal("again and again"), retry: "repaired" })]));
    expect(types.filter((type) => type === "turn_retried").length).toBeLessThan(10);
    expect(types.at(-1)).toBe("turn_failed");
  });

  it("partial is what the last attempt streamed, and nothing of those before it", async () => {
    const { closing } = await play(attempts([text("one"), cut], [text("two"), cut], [text("th"), text("ree"), cut]));
    expect(closing).toMatchObject({ type: "turn_failed", partial: "three" });
  });

  it("a failure that no retry cures is final", async () => {
    expect((await play(attempts([new AttemptError(fatal("no", 401))]))).closing).toEqual({
      type: "turn_failed",
      failure: { kind: "backend_fatal", message: "no", status: 401, retryAfterMs: null },
      partial: "",
    });
  });
});

describe("cancellation", () => {
  const cancelled = { type: "turn_failed", failure: { kind: "backend_transient" } };

  it("ends a turn at once although the attempt ignores its signal", async () => {
    const stop = new AbortController();
    const { types, closing } = await play(
      async () => {
        async function* stuck(): AsyncGenerator<AttemptEvent> {
          yield text("half");
          queueMicrotask(() => stop.abort());
          await new Promise(() => {});
        }
        return stuck();
      },
      { signal: stop.signal },
    );
    expect(types).toEqual(["turn_start", "text_delta", "turn_failed"]);
    expect(closing).toMatchObject({ ...cancelled, partial: "half" });
  });

  it("ends a turn at once while the request is under way, and lets go of a stream that opens afterwards", async () => {
    const stop = new AbortController();
    let isReleased = false;
    let open = (): void => {};
    const late = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { types } = await play(
      async () => {
        queueMicrotask(() => stop.abort());
        await late;
        const release = async (): Promise<IteratorReturnResult<undefined>> => {
          isReleased = true;
          return { done: true, value: undefined };
        };
        return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: release }) };
      },
      { signal: stop.signal },
    );
    expect(types).toEqual(["turn_start", "turn_failed"]);
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReleased).toBe(true);
  });

  it("before the first request asks nobody", async () => {
    let asked = false;
    const { types } = await play(
      () => {
        asked = true;
        return attempts([end("a")])({} as never);
      },
      { signal: AbortSignal.abort() },
    );
    expect([types, asked]).toEqual([["turn_start", "turn_failed"], false]);
  });

  it("in a pause ends the pause and is no further attempt", async () => {
    const stop = new AbortController();
    const ambient = testAmbient();
    const types: string[] = [];
    const turn = runTurn({ model: "m", who: "v", attempt: attempts([new AttemptError(transient("cut"))]), ambient, signal: stop.signal });
    for await (const event of turn) {
      types.push(event.type);
      if (event.type === "turn_retried") void ambient.clock.settle().then(() => stop.abort());
    }
    expect(types).toEqual(["turn_start", "turn_retried", "turn_failed"]);
  });

  it("a reader that leaves ends the attempt", async () => {
    let signal: AbortSignal | null = null;
    const turn = runTurn({
      model: "m",
      who: "v",
      ambient: testAmbient(),
      signal: new AbortController().signal,
      async attempt(context) {
        signal = context.signal;
        return stream([text("a"), "never"]);
      },
    });
    for await (const event of turn) if (event.type === "text_delta") break;
    expect(signal).toMatchObject({ aborted: true });
  });

  it("leaves no listener behind on the signal of the run", async () => {
    const signal = new AbortController().signal;
    let listeners = 0;
    const counting = Object.assign(signal, {
      addEventListener(...args: Parameters<AbortSignal["addEventListener"]>) {
        listeners++;
        AbortSignal.prototype.addEventListener.apply(signal, args);
      },
      removeEventListener(...args: Parameters<AbortSignal["removeEventListener"]>) {
        listeners--;
        AbortSignal.prototype.removeEventListener.apply(signal, args);
      },
    });
    await play(attempts([new AttemptError(transient("cut"))], [end("a")]), { signal: counting });
    expect(listeners).toBe(0);
  });
});

describe("silence", () => {
  it("ends an attempt in which nothing came for too long, and counts as a stream that broke off", async () => {
    const ambient = testAmbient();
    const types: string[] = [];
    for await (const event of runTurn({
      model: "m",
      who: "Vendor (m)",
      attempt: attempts(["never"]),
      ambient,
      signal: new AbortController().signal,
      limits: { silenceMs: 1000 },
    })) {
      types.push(event.type);
      if (event.type !== "turn_failed") void ambient.clock.settle().then(() => ambient.clock.advance(3000));
      else expect(event.failure.message).toBe("Vendor (m) has sent nothing for 1 s.");
    }
    expect(types).toEqual(["turn_start", "turn_retried", "turn_retried", "turn_failed"]);
  });

  it("signs of life that yield nothing put it off", async () => {
    const ambient = testAmbient();
    const turn = runTurn({
      model: "m",
      who: "v",
      ambient,
      signal: new AbortController().signal,
      limits: { silenceMs: 1000 },
      async attempt({ alive }) {
        for (let beat = 0; beat < 5; beat++) {
          await ambient.clock.advance(900);
          alive();
        }
        return stream([end("a")]);
      },
    });
    const types: string[] = [];
    for await (const event of turn) types.push(event.type);
    expect(types).toEqual(["turn_start", "turn_end"]);
  });

  it("a reader that takes its time is no silent vendor", async () => {
    const ambient = testAmbient();
    const turn = runTurn({
      model: "m",
      who: "v",
      ambient,
      signal: new AbortController().signal,
      limits: { silenceMs: 1000 },
      attempt: attempts([text("a"), text("b"), end("ab")]),
    });
    const types: string[] = [];
    for await (const event of turn) {
      types.push(event.type);
      await ambient.clock.advance(5000);
    }
    expect(types).toEqual(["turn_start", "text_delta", "text_delta", "turn_end"]);
  });
});
