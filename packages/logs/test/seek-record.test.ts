import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { placeBefore } from "../src/events/seek-record.js";
import { createEventsFileStore } from "../src/index.js";
import { folderOf, frozenRun, RUN } from "./frozen-logs.js";
import { tempFolder } from "./temp-folder.js";

const file = join(folderOf("voidedVotes"), "events.jsonl");
const seqOf = (line: string): number => (JSON.parse(line) as { readonly seq: number }).seq;

describe("where a reader begins that has seen the beginning", () => {
  it.each([200, 1_000, 4_096, 1 << 16])(
    "is never behind what it has not seen, and at a decision, reading %i bytes at a time",
    async (chunk) => {
      const bytes = await readFile(file);
      for (let after = 1; after <= frozenRun("voidedVotes").length; after++) {
        const place = await placeBefore(file, after, chunk);
        const before = bytes.subarray(0, place).toString("utf8").trimEnd();
        if (before === "") continue;
        const last = before.split("\n").at(-1)!;
        expect(seqOf(last)).toBeLessThan(after);
        expect(last).toContain('"closes":true');
      }
    },
  );

  it("is near the end of a long log, whatever its size", async () => {
    const folder = await tempFolder();
    const long = join(folder, "events.jsonl");
    const lines = Array.from({ length: 40_000 }, (_, place) =>
      JSON.stringify({ seq: place + 1, event_type: "tool_start", context: {}, closes: true, filler: "x".repeat(60) }),
    );
    await writeFile(long, `${lines.join("\n")}\n`);
    const place = await placeBefore(long, 39_999, 4_096);
    expect((await readFile(long)).length - place).toBeLessThan(3 * 4_096);
  });

  it("is the beginning in doubt: no file, a torn file, long lines", async () => {
    const folder = await tempFolder();
    expect(await placeBefore(join(folder, "none"), 5)).toBe(0);
    const odd = join(folder, "events.jsonl");
    await writeFile(odd, `${"x".repeat(5_000)}\n`.repeat(3));
    expect(await placeBefore(odd, 5, 500)).toBe(0);
    await appendFile(odd, "{");
    expect(await placeBefore(odd, 5, 500)).toBe(0);
  });

  it("a store gives the same records after any number, and ends when the run is over", async () => {
    const store = createEventsFileStore({ folderOf: () => folderOf("voidedVotes") });
    for (const after of [0, 1, 7, frozenRun("voidedVotes").length - 1, frozenRun("voidedVotes").length]) {
      const seen: number[] = [];
      for await (const { seq } of store.read(RUN, { after, follow: true })) seen.push(seq);
      expect(seen).toEqual(
        frozenRun("voidedVotes")
          .map(({ seq }) => seq)
          .filter((seq) => seq > after),
      );
    }
    await store.close();
  });
});
