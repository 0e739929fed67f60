import type { Delta, Recorded } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { eventsOf } from "../src/runs/queued-events.js";

const said = (text: string): Delta => ({ type: "content_delta", agent: "ada", channel: "work", text });
const fact = (seq: number): Recorded =>
  ({ seq, at: 0, runId: "run-1", decision: seq, closes: true, type: "agent_abstained", agent: "ada", code: "no_tool_calls" }) as const;

/** A queue with one run, whose log goes on when it is told to, and breaks. */
function queueOf() {
  let fail = (_error: Error): void => {};
  const broken = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  let tell: (deltas: readonly Delta[], after: number) => void = () => {};
  const asked: string[] = [];
  const queue = {
    deltas(_id: string, listener: typeof tell) {
      tell = listener;
      return () => {};
    },
    say: (_id: string, { kind }: { readonly kind: string }) => Promise.resolve(asked.push(kind) > 0),
    ended: (_id: string, signal: AbortSignal) =>
      new Promise<void>((resolve) => void signal.addEventListener("abort", () => resolve(), { once: true })),
    store: {
      async *read() {
        yield fact(1);
        await broken;
      },
    },
  };
  return { queue: queue as never, fail: (error: Error) => fail(error), tell: (...deltas: Delta[]) => tell(deltas, 1), asked };
}

describe("the events of a run that a worker plays", () => {
  it("are its facts and what passes between them, for which it is asked", async () => {
    const { queue, tell, asked } = queueOf();
    const events = eventsOf("run-1", queue, 0, new AbortController().signal);
    expect((await events.next()).value).toEqual(fact(1));
    const next = events.next();
    tell(said("Use "), said("ARC."));
    expect([(await next).value, (await events.next()).value]).toEqual([said("Use "), said("ARC.")]);
    expect(asked).toEqual(["watch"]);
  });

  it("end with the error of a log that breaks while deltas are read, and nothing else breaks", async () => {
    const { queue, tell, fail } = queueOf();
    const events = eventsOf("run-1", queue, 0, new AbortController().signal);
    await events.next();
    tell(said("Use ARC."));
    expect((await events.next()).value).toEqual(said("Use ARC."));
    // Nobody waits for the next fact in this moment; a rejection that nobody handles would end the process.
    fail(new Error("the database is away"));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(events.next()).rejects.toThrow("away");
  });
});
