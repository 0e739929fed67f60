import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createAnthropic } from "../src/index.js";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source).map((name) => ({ name, text: readFileSync(new URL(name, source), "utf8") }));

describe("before the first turn", () => {
  it("it constructs, without network and without a key", () => {
    expect(createAnthropic({ model: "claude-opus-5-5" })).toMatchObject({
      specVersion: 1,
      id: "claude",
      model: "claude-opus-5-5",
      capabilities: { loop: "host", forcedToolChoice: true, input: ["text", "image", "pdf"], contextWindowTokens: 200_000 },
    });
  });

  it("the SDK is not loaded: sources import its types only, and itself inside a function", () => {
    const values = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"@anthropic-ai[^"]*"/gm)].map(([line]) => `${name}: ${line}`),
    );
    expect(values).toEqual([]);
    const dynamic = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(\s*).*await import\("@anthropic-ai\/sdk"\)/gm)].map((match) => [name, match[1]]),
    );
    expect(dynamic).toEqual([["turn.ts", "    "]]);
  });

  it("nothing of Node and nothing of the clock is used", () => {
    const foreign = /from "node:|\bDate\.now|\bMath\.random|\bsetTimeout|\bprocess\.|console\./;
    expect(files.filter(({ text }) => foreign.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
