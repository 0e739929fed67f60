import { describe, expect, it } from "vitest";
import { ClientError } from "../src/index.js";
import { watchStream } from "../src/watch.js";

const record = (seq: number): string => `id: ${seq}\nevent: record\ndata: ${JSON.stringify({ seq, type: "usage_recorded" })}\n\n`;
const end = "event: end\ndata: {}\n\n";
const stream = (text: string): ReadableStream<Uint8Array> => new Response(text).body!;

/** Streams one after another; a number is a refusal with that status. */
async function watched(answers: readonly (string | number)[], after = 0) {
  const asked: number[] = [];
  const waited: number[] = [];
  const events: unknown[] = [];
  const open = (from: number): Promise<ReadableStream<Uint8Array>> => {
    const answer = answers[asked.length] ?? end;
    asked.push(from);
    return typeof answer === "number" ? Promise.reject(new ClientError(answer, "no", null)) : Promise.resolve(stream(answer));
  };
  const pause = (ms: number): Promise<void> => {
    waited.push(ms);
    return Promise.resolve();
  };
  let error: unknown = null;
  try {
    for await (const event of watchStream(open, { after }, pause)) events.push("seq" in event ? event.seq : event.type);
  } catch (caught) {
    error = caught;
  }
  return { asked, waited, events, error };
}

describe("watching a run", () => {
  it("goes on from the last record when the stream breaks, and shows none twice", async () => {
    const run = await watched([record(1) + record(2), record(2) + record(3) + record(4).slice(0, 20), record(4) + end]);
    expect(run).toMatchObject({ events: [1, 2, 3, 4], asked: [0, 2, 3], error: null });
  });

  it("waits longer with every vain try, up to 15 s, and from the beginning once something came", async () => {
    const run = await watched([0, 503, 0, 0, 0, 0, 0, 0, record(1), record(2) + end]);
    expect(run.waited).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 250]);
    expect(run.events).toEqual([1, 2]);
  });

  it("gives up at once when asking again cannot help", async () => {
    expect(await watched([404])).toMatchObject({ asked: [0], error: { status: 404, final: true } });
    expect((await watched([429, end])).error).toBeNull();
  });

  it("hands on what passes and ignores what it does not know", async () => {
    const delta = `event: delta\ndata: {"type":"notice"}\n\n`;
    expect((await watched([`: ping\n\nevent: future\ndata: x\n\n${delta}${record(8)}${end}`], 7)).events).toEqual(["notice", 8]);
  });
});
