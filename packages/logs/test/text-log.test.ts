import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFileSink } from "../src/files/file-sink.js";
import { createTextLog } from "../src/files/text-log.js";
import { createRedactor } from "../src/index.js";
import { filesIn } from "./play-run.js";
import { tempFolder } from "./temp-folder.js";

async function sinkIn(folder: string) {
  const warnings: string[] = [];
  return {
    warnings,
    sink: createFileSink({ folder, redactor: createRedactor(["secret-0123456789"]), onWarning: (message) => warnings.push(message) }),
  };
}

describe("a text that grows", () => {
  it("is written when it is flushed, in order", async () => {
    const folder = await tempFolder();
    const { sink } = await sinkIn(folder);
    const log = createTextLog(sink, "deep/er/a.txt");
    log.add("one ");
    log.add("two ");
    const first = log.flush();
    log.add("three");
    await Promise.all([first, log.flush(), log.flush()]);
    expect(await readFile(join(folder, "deep/er/a.txt"), "utf8")).toBe("one two three");
  });

  it("is put aside when it has become too long, and the oldest goes", async () => {
    const folder = await tempFolder();
    const { sink } = await sinkIn(folder);
    const log = createTextLog(sink, "a.log", { rotateBytes: 10, keep: 2 });
    for (const line of ["11111111\n", "22222222\n", "33333333\n", "44444444\n"]) {
      log.add(line);
      await log.flush();
    }
    expect(await filesIn(folder)).toEqual(["a.log", "a.log.1", "a.log.2"]);
    expect(await readFile(join(folder, "a.log"), "utf8")).toBe("44444444\n");
    expect(await readFile(join(folder, "a.log.2"), "utf8")).toBe("22222222\n");
  });
});

describe("whole files", () => {
  it("are never seen half written", async () => {
    const folder = await tempFolder();
    const { sink } = await sinkIn(folder);
    const value = (n: number) => ({ n, filler: Array.from({ length: 2_000 }, () => n) });
    await sink.json("a.json", value(0));
    let writing = true;
    const writer = Promise.all(Array.from({ length: 30 }, (_, n) => sink.json("a.json", value(n + 1)))).then(() => {
      writing = false;
    });
    while (writing) {
      const { n, filler } = JSON.parse(await readFile(join(folder, "a.json"), "utf8")) as ReturnType<typeof value>;
      expect(new Set(filler)).toEqual(new Set([n]));
    }
    await writer;
    expect(JSON.parse(await readFile(join(folder, "a.json"), "utf8"))).toMatchObject({ n: 30 });
    expect(await filesIn(folder)).toEqual(["a.json"]);
  });

  it("are UTF-8 without a byte order mark, readable, and end in a newline", async () => {
    const folder = await tempFolder();
    const { sink } = await sinkIn(folder);
    await sink.json("a.json", { naïve: "日本 👩", secret: "secret-0123456789" });
    expect(await readFile(join(folder, "a.json"), "utf8")).toBe('{\n  "naïve": "日本 👩",\n  "secret": "[REDACTED]"\n}\n');
  });

  it("a link shows the newest file, and takes the place of an older one", async () => {
    const folder = await tempFolder();
    const { sink } = await sinkIn(folder);
    for (const name of ["one", "two"]) {
      await sink.text(`d/${name}.txt`, name);
      await sink.link("d/latest.txt", `${name}.txt`, name);
      expect(await readFile(join(folder, "d/latest.txt"), "utf8")).toBe(name);
    }
  });

  it("EC66: that cannot be written cost a warning and never an error", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "file"), "");
    const { sink, warnings } = await sinkIn(join(folder, "file"));
    await Promise.all([
      sink.json("a.json", {}),
      sink.text("b/c.txt", ""),
      sink.append("d.txt", "x"),
      sink.link("e", "f", ""),
      sink.move("g", "h"),
    ]);
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings[0]).toContain("The run goes on");
  });
});
