import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileName } from "../src/parts/download.js";

describe("the name of a download", () => {
  it.each([
    ["answer.md", "answer.md"],
    ["../../etc/passwd", "etc-passwd"],
    ["a/b\\c:d.md", "a-b-c-d.md"],
    [".bashrc", "bashrc"],
    ["gpj\u202egnp.exe", "gpjgnp.exe"],
    ["<img src=x onerror=pwned()>", "img src=x onerror=pwned()-"],
    ["结果.md", "结果.md"],
    ["..", "file"],
    ["", "file"],
  ])("%j is %j", (name, expected) => {
    expect(fileName(name)).toBe(expected);
  });

  it("never leads into a folder, hides or is empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const given = fileName(name);
        expect(given).toMatch(/^[^/\\.\s][^/\\]*$/);
        expect(given.length).toBeLessThanOrEqual(120);
      }),
    );
  });
});
