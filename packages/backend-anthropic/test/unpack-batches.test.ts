import { describe, expect, it } from "vitest";
import { unpackBatches } from "../src/unpack-batches.js";

async function* batches(onEnd: () => void, ...list: readonly (readonly number[] | Error)[]) {
  try {
    for (const batch of list) {
      if (batch instanceof Error) throw batch;
      yield batch;
    }
  } finally {
    onEnd();
  }
}

describe("batches, item by item", () => {
  it("keep their order, and empty ones are nothing", async () => {
    const items: number[] = [];
    for await (const item of unpackBatches(batches(() => {}, [], [1, 2], [], [3]))) items.push(item);
    expect(items).toEqual([1, 2, 3]);
  });

  it("throw what the batches throw, once everything before it is out", async () => {
    const unpacked = unpackBatches(batches(() => {}, [1], new Error("broken")));
    expect(await unpacked.next()).toEqual({ done: false, value: 1 });
    await expect(unpacked.next()).rejects.toThrow("broken");
  });

  it("are closed when their reader leaves, and give nothing afterwards", async () => {
    let closed = 0;
    const unpacked = unpackBatches(batches(() => closed++, [1, 2], [3]));
    for await (const item of unpacked) if (item === 1) break;
    expect([closed, await unpacked.next()]).toEqual([1, { done: true, value: undefined }]);
  });
});
