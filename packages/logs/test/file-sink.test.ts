import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFileSink } from "../src/files/file-sink.js";
import { createRedactor } from "../src/redact/redactor.js";
import { tempFolder } from "./temp-folder.js";

const sinkIn = (folder: string) =>
  createFileSink({ folder, redactor: createRedactor([]), onWarning: (message) => expect.unreachable(message) });

it("writes of whole contents that wait for the disk only the newest, and tells everybody when it is there", async () => {
  const folder = await tempFolder();
  const sink = sinkIn(folder);
  let made = 0;
  const value = (n: number): object => ({
    toJSON() {
      made += 1;
      return { n };
    },
  });
  await Promise.all(Array.from({ length: 50 }, (_, n) => sink.json("status.json", value(n))));
  expect(JSON.parse(await readFile(join(folder, "status.json"), "utf8"))).toEqual({ n: 49 });
  expect(made).toBeLessThanOrEqual(2);
});

it("keeps the order of whole contents, additions and moves of one path, whatever it leaves out", async () => {
  const step = fc.constantFrom("write", "append", "move", "pause");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const folder = await tempFolder();
      const sink = sinkIn(folder);
      let expected: string | null = null;
      let moved: string | null = null;
      for (const [place, what] of steps.entries()) {
        if (what === "pause") await sink.settled();
        else if (what === "write") {
          void sink.text("a.txt", `${place};`);
          expected = `${place};`;
        } else if (what === "append") {
          void sink.append("a.txt", `+${place};`);
          expected = `${expected ?? ""}+${place};`;
        } else if (expected !== null) {
          void sink.move("a.txt", "b.txt");
          moved = expected;
          expected = null;
        }
      }
      await sink.settled();
      const found = await Promise.all(["a.txt", "b.txt"].map((name) => readFile(join(folder, name), "utf8").catch(() => null)));
      expect(found).toEqual([expected, moved]);
    }),
    { numRuns: 60 },
  );
});
