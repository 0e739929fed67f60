import { describe, expect, it } from "vitest";
import { findSnippets } from "../snippets.mjs";

describe("snippets", () => {
  it("are the ts blocks of a document, with the line they stand on", () => {
    const markdown = ["# Title", "```ts", "const a = 1;", "", "```", "```sh", "npm i", "```", "  ```ts", "  b();", "  ```"].join("\n");
    expect(findSnippets(markdown)).toEqual([
      { line: 3, code: "const a = 1;\n" },
      { line: 10, code: "  b();" },
    ]);
  });

  it("are not blocks marked no-check, nor blocks inside a longer fence", () => {
    expect(findSnippets("```ts no-check\nx\n```\n````markdown\n```ts\ny\n```\n````")).toEqual([]);
  });
});
