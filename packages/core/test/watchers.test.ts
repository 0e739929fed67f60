import type { Delta, Recorded } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { createWatchers } from "../src/coordinator/watchers.js";

const fact = (seq: number): Recorded => ({ seq, at: 0, runId: "r", decision: seq, closes: true, type: "run_resumed", lastSeq: seq });
const say = (agent: string, text: string): Delta => ({ type: "content_delta", agent, channel: "work", text });
const think = (agent: string, text: string): Delta => ({ type: "reasoning_delta", agent, channel: "work", text });

async function drain(iterator: AsyncIterator<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) all.push(next.value);
  return all;
}

describe("a watcher that is behind", () => {
  it("gets pieces of one text as one, also when other agents spoke in between", async () => {
    const records: Recorded[] = [];
    const watchers = createWatchers(records);
    const iterator = watchers.watch();
    for (const delta of [say("a", "1"), say("b", "x"), say("a", "2"), think("a", "hm"), say("a", "3"), say("b", "y")])
      watchers.delta(delta);
    records.push(fact(1));
    watchers.facts();
    watchers.delta(say("a", "4"));
    watchers.close(null);
    expect(await drain(iterator)).toEqual([say("a", "12"), say("b", "xy"), think("a", "hm"), say("a", "3"), fact(1), say("a", "4")]);
  });

  it("loses the oldest deltas beyond a limit, and never a fact", async () => {
    const records: Recorded[] = [];
    const watchers = createWatchers(records);
    const iterator = watchers.watch();
    for (let seq = 1; seq <= 3000; seq++) {
      watchers.delta(say("a", `${seq}`));
      records.push(fact(seq));
      watchers.facts();
    }
    watchers.close(null);
    const got = (await drain(iterator)) as readonly (Delta | Recorded)[];
    expect(got.filter((event) => "seq" in event)).toEqual(records);
    const texts = got.filter((event) => event.type === "content_delta");
    expect(texts).toHaveLength(1024);
    expect(texts.at(-1)).toEqual(say("a", "3000"));
  });

  it("is not given texts without end", async () => {
    const watchers = createWatchers([]);
    const iterator = watchers.watch();
    for (let index = 0; index < 100; index++) watchers.delta(say("a", "x".repeat(1000)));
    watchers.close(null);
    const got = (await drain(iterator)) as readonly { readonly text: string }[];
    expect(got.length).toBeGreaterThan(5);
    expect(Math.max(...got.map(({ text }) => text.length))).toBeLessThan(10_000);
    expect(got.reduce((sum, { text }) => sum + text.length, 0)).toBe(100_000);
  });
});

describe("the end", () => {
  it("is told as an error once, and then as the end", async () => {
    const watchers = createWatchers([]);
    const iterator = watchers.watch();
    watchers.close(new Error("broken"));
    await expect(iterator.next()).rejects.toThrow("broken");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("reaches calls of next that overlap, in order", async () => {
    const records = [fact(1), fact(2)];
    const watchers = createWatchers(records);
    const iterator = watchers.watch();
    const pending = [iterator.next(), iterator.next(), iterator.next()];
    watchers.close(null);
    expect((await Promise.all(pending)).map(({ value, done }) => (done === true ? "end" : (value as Recorded).seq))).toEqual([1, 2, "end"]);
  });

  it("a watcher that leaves while it waits is let go", async () => {
    const watchers = createWatchers([]);
    const iterator = watchers.watch();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
