import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createGemini } from "../src/index.js";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source).map((name) => ({ name, text: readFileSync(new URL(name, source), "utf8") }));

describe("before the first turn", () => {
  it("it constructs without network and without a key", () => {
    expect(createGemini({ model: "gemini-3-flash-preview" })).toMatchObject({
      specVersion: 1,
      id: "gemini",
      model: "gemini-3-flash-preview",
      capabilities: { loop: "host", forcedToolChoice: true },
    });
  });

  it.each(["", "a b", "../secrets", "m?key=1", "m&x"])("a model that fits into no address is refused: %j", (model) => {
    expect(() => createGemini({ model })).toThrow(/cannot ask for the model/);
  });

  it("the SDK is not loaded: sources import its types only, and itself inside a function", () => {
    const values = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"@google\/genai[^"]*"/gm)].map(([line]) => `${name}: ${line}`),
    );
    expect(values).toEqual([]);
    const dynamic = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(.*)await import\("@google\/genai\/web"\)/gm)].map((match) => [name, match[1]?.startsWith("      ")]),
    );
    expect(dynamic).toEqual([["gemini.ts", true]]);
  });

  it("nothing of Node and nothing of the clock is used", () => {
    const foreign = /from "node:|\bDate\.now|\bMath\.random|\bsetTimeout|\bprocess\./;
    expect(files.filter(({ text }) => foreign.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
