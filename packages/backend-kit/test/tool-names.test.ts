import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { legalToolName, legalToolNames } from "../src/index.js";

const long = "mcp__knowledge_base_of_the_whole_company__archive_the_quarterly_report_of_the_northern_branch_into_the_cold_store_";
const awkward = ["files.read", "files_read", `${long}a`, `${long}b`, "9lives", "read file", "查询", "查找", "a/b:c", ""];

describe("legal tool names (SC-01)", () => {
  it("leaves a legal name as it is", () =>
    expect(["vote", "mcp__desk__lookup", "9lives", "a-b_c", "x".repeat(64)].map(legalToolName)).toEqual([
      "vote",
      "mcp__desk__lookup",
      "9lives",
      "a-b_c",
      "x".repeat(64),
    ]));

  it("T5.8: is legal, unique and reversible for names no vendor accepts", () => {
    const wire = awkward.map(legalToolName);
    expect(wire.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(new Set(wire).size).toBe(awkward.length);
    const { fromWire } = legalToolNames(awkward);
    expect(wire.map(fromWire)).toEqual(awkward);
  });

  it("depends on nothing but the name: these stay the same from version to version", () => {
    expect(awkward.slice(0, 8).map(legalToolName)).toMatchInlineSnapshot(`
      [
        "files_read_0s67yus0gpnt1e",
        "files_read",
        "mcp__knowledge_base_of_the_whole_company__archive_196j4101jcgxoi",
        "mcp__knowledge_base_of_the_whole_company__archive_05sf7mn18ssvtl",
        "9lives",
        "read_file_0hatxm91qhjjjr",
        "___1ny1l6200ncbk4",
        "___0suw16h0eif2xv",
      ]
    `);
  });

  it("gives back what it does not know", () => expect(legalToolNames(["vote"]).fromWire("hallucinated.tool")).toBe("hallucinated.tool"));

  it("keeps any two different names apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => a === b || legalToolName(a) !== legalToolName(b)),
    );
  });

  it("is legal for any name", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => /^[A-Za-z0-9_-]{1,64}$/.test(legalToolName(name))));
  });
});
