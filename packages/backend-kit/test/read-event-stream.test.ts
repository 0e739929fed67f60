import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEventStream, type StreamEvent } from "../src/index.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const never = new AbortController().signal;

function streamOf(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function read(...pieces: readonly Uint8Array[]): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const batch of readEventStream(streamOf(...pieces), never)) events.push(...batch);
  return events;
}
const dataOf = async (...pieces: readonly Uint8Array[]) => (await read(...pieces)).map(({ data }) => data);

describe("readEventStream", () => {
  it.each([
    ["a blank after the colon or none", "data: a\n\ndata:b\n\n", ["a", "b"]],
    ["comments, ids, retries and unknown fields", ": hello\n\nid: 7\nretry: 300\nfoo: bar\ndata: a\n\n: bye\n\n", ["a"]],
    ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
    ["line ends of every kind", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["a", "b", "c"]],
    ["one event over two lines", "data: a\ndata: b\n\n", ["a\nb"]],
    ["empty data", "data:\n\ndata: \n\n", ["", ""]],
    ["a comment inside a data line", "data: : keepalive\n\n", [": keepalive"]],
    ["no empty line at the end", "data: a\n\ndata: b\n", ["a", "b"]],
    ["no line end at the end", "data: a\n\ndata: [DONE]", ["a", "[DONE]"]],
    ["a lone carriage return at the end", "data: a\r\r", ["a"]],
    ["nothing", "", []],
  ])("reads %s", async (_, text, expected) => expect(await dataOf(encode(text))).toEqual(expected));

  it("names the event", async () =>
    expect(await read(encode("event: error\ndata: x\n\ndata: y\n\n"))).toEqual([
      { event: "error", data: "x" },
      { event: undefined, data: "y" },
    ]));

  it("gives the same events wherever the bytes are cut", async () => {
    const text = '\ufeff: c\r\ndata: größer 大きい 👩‍🚀\r\n\r\ndata:{"a":\ndata: 1}\n\nevent: e\rdata: x\r\rdata: [DONE]\n\n';
    const bytes = encode(text);
    const whole = await read(bytes);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(await read(bytes.subarray(0, cut), bytes.subarray(cut)), `cut at ${cut}`).toEqual(whole);
    expect(await read(...Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))).toEqual(whole);
  });

  it("gives back any text that was put into events, in any packets", async () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n\0]/g, ""));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const bytes = encode(lines.map((text) => `data: ${text}\n\n`).join(""));
        const packets = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(await dataOf(...packets)).toEqual(lines);
      }),
    );
  });

  it("hands out the events of one packet together", async () => {
    const batches: number[] = [];
    for await (const batch of readEventStream(streamOf(encode("data: a\n\ndata: b\n\nda"), encode("ta: c\n\n")), never))
      batches.push(batch.length);
    expect(batches).toEqual([2, 1]);
  });

  it("reads one event of a megabyte in twenty thousand pieces in linear time", async () => {
    const piece = encode("x".repeat(50));
    const before = performance.now();
    const [data] = await dataOf(encode("data: "), ...Array.from({ length: 20_000 }, () => piece), encode("\n\n"));
    expect(data?.length).toBe(1_000_000);
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it("ends quietly when it is stopped, and lets go of the body", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encode("data: a\n\n")),
      cancel() {
        cancelled = true;
      },
    });
    const stop = new AbortController();
    const events: StreamEvent[] = [];
    for await (const batch of readEventStream(body, stop.signal)) {
      events.push(...batch);
      stop.abort();
    }
    expect([events.map(({ data }) => data), cancelled]).toEqual([["a"], true]);
  });

  it("lets go of the body when its reader leaves, and when the body breaks", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encode("data: a\n\n")),
      cancel() {
        cancelled = true;
      },
    });
    for await (const _ of readEventStream(body, never)) break;
    expect(cancelled).toBe(true);
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("reset")) });
    await expect(readEventStream(broken, never).next()).rejects.toThrow("reset");
  });
});
