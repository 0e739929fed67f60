import { describe, expect, it } from "vitest";
import { findFences } from "../find-fences.mjs";

describe("fenced blocks", () => {
  it("are those of one language, with the line they stand on", () => {
    const markdown = ["# Title", "```ts", "const a = 1;", "", "```", "```sh", "npm i", "```", "  ```ts", "  b();", "  ```"].join("\n");
    expect(findFences(markdown, "ts")).toEqual([
      { line: 3, code: "const a = 1;\n" },
      { line: 10, code: "  b();" },
    ]);
  });

  it("are not blocks marked no-check, nor blocks inside a longer fence", () => {
    expect(findFences("```ts no-check\nx\n```\n````markdown\n```ts\ny\n```\n````", "ts")).toEqual([]);
  });
});
