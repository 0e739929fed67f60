import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createChatCompletions, presets } from "../src/index.js";

const source = new URL("../src/", import.meta.url);
const files = readdirSync(source).map((name) => ({ name, text: readFileSync(new URL(name, source), "utf8") }));

describe("before the first turn", () => {
  it("every type constructs, without network and mostly without a key", () => {
    for (const id of Object.keys(presets)) {
      const backend = createChatCompletions({
        id,
        model: "m",
        ...(presets[id]?.baseUrl === null ? { baseUrl: "http://127.0.0.1:9/v1" } : {}),
      });
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
    expect(dynamic).toEqual([["chat-completions.ts", true]]);
  });

  it("nothing of Node and nothing of the clock is used", () => {
    const foreign = /from "node:|\bDate\.now|\bMath\.random|\bsetTimeout|\bprocess\./;
    expect(files.filter(({ text }) => foreign.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
