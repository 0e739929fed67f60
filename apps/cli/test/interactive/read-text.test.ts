import { describe, expect, it } from "vitest";
import { type Interrupts, readText } from "../../src/interactive/read-text.js";
import type { LineReader, TypedLine } from "../../src/io.js";
import { fakeIo } from "../fake-io.js";

const line = (text: string): TypedLine => ({ is: "line", text });
const pressed = (wasEmpty: boolean): TypedLine => ({ is: "interrupt", wasEmpty });

/** Reads one text from what is typed, a second apart from each other by default. */
async function read(typed: readonly TypedLine[], stepMs = 1000) {
  const fake = fakeIo({ cwd: "." });
  const prompts: string[] = [];
  const rest = [...typed];
  let nowMs = 0;
  const lines: LineReader = {
    read: (prompt) => {
      prompts.push(prompt);
      nowMs += stepMs;
      return Promise.resolve(rest.shift() ?? { is: "end" });
    },
    remember: () => {},
    close: () => {},
  };
  const interrupts: Interrupts = { lastMs: Number.NEGATIVE_INFINITY };
  return { text: await readText(lines, interrupts, { ...fake.io, monotonic: () => nowMs }), prompts, err: fake.err() };
}

describe("a text that is typed", () => {
  it("may have several lines, each with its own prompt", async () => {
    const { text, prompts } = await read([line('"""one'), line("two"), line('"""')]);
    expect([text, prompts]).toEqual([{ is: "text", text: "one\ntwo" }, ["> ", "… ", "… "]]);
  });

  it("is dropped by Ctrl+C, also when it is half a block", async () => {
    expect((await read([pressed(false), line("why")])).text).toEqual({ is: "text", text: "why" });
    const { text, prompts, err } = await read([line('"""one'), pressed(true), line("why")]);
    expect([text, prompts, err]).toEqual([{ is: "text", text: "why" }, ["> ", "… ", "> "], ""]);
  });

  it("a second Ctrl+C within two seconds leaves, a later one does not", async () => {
    expect((await read([pressed(true), pressed(true)], 1000)).text).toEqual({ is: "leave" });
    const { text, err } = await read([pressed(true), pressed(true), line("why")], 2500);
    expect(text).toEqual({ is: "text", text: "why" });
    expect(err).toContain("Ctrl+C again leaves");
  });

  it("ends with Ctrl+D", async () => {
    expect((await read([])).text).toEqual({ is: "end" });
    expect((await read([line('"""one')])).text).toEqual({ is: "end" });
  });
});
