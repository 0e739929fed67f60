import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createOpenAI, vendors } from "../src/index.js";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source).map((name) => ({ name, text: readFileSync(new URL(name, source), "utf8") }));

describe("before the first turn", () => {
  it("every type constructs, without network and without a key", () => {
    for (const id of Object.keys(vendors)) {
      const backend = createOpenAI({ id, model: "m" });
      expect(backend).toMatchObject({ specVersion: 1, id, model: "m", capabilities: { loop: "host" } });
    }
  });

  it("the SDK is not loaded: sources import its types only, and itself inside a function", () => {
    const values = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"openai[^"]*"/gm)].map(([line]) => `${name}: ${line}`),
    );
    expect(values).toEqual([]);
    const dynamic = files.flatMap(({ name, text }) =>
      [...text.matchAll(/^(.*)await import\("openai"\)/gm)].map((match) => [name, match[1]?.startsWith("      ")]),
    );
    expect(dynamic).toEqual([["openai.ts", true]]);
  });

  it("nothing of Node and nothing of the clock is used", () => {
    const foreign = /from "node:|\bDate\.now|\bMath\.random|\bsetTimeout|\bprocess\./;
    expect(files.filter(({ text }) => foreign.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
