import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, compareWords } from "../src/text/compare.js";

const text = fc.array(fc.constantFrom("a", "bee", " ", "\n", "é", "漢字", ".", "<b>"), { maxLength: 40 }).map((parts) => parts.join(""));

describe("what changed", () => {
  it("word by word leaves both texts whole", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const words = compareWords(before, after) ?? [];
        const without = (is: "added" | "removed"): string => words.flatMap((part) => (part.is === is ? [] : [part.text])).join("");
        expect(without("added")).toBe(before);
        expect(without("removed")).toBe(after);
      }),
    );
  });

  it("line by line says nothing of equal texts, and of others which lines came and went", () => {
    expect(compare("a\nb\n", "a\nb\n")).toEqual([]);
    expect(compare("a\nb", "a\nc")).toEqual([{ line: 1, rows: [" a", "-b", "+c"] }]);
  });

  it("gives up in time on texts that differ too much", () => {
    const noise = (salt: number): string => Array.from({ length: 60_000 }, (_, index) => `${(index * salt) % 7_919}`).join(" ");
    expect(compareWords(noise(31), noise(37))).toBeNull();
  });
});
