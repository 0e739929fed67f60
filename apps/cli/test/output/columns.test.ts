import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cells, cut, cutStart, pad, wrap, wrapProse } from "../../src/output/columns.js";

const texts = fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replaceAll(/[\n\t]/g, " "));
// The widest single character there is (a composed musical sign) takes four cells.
const widths = fc.integer({ min: 5, max: 40 });

describe("cells of a text", () => {
  it("are those of the library, for texts with and without a short cut", () => {
    const narrow = fc.string({ unit: fc.constantFrom(..."aZ 0·…│─é©®ø–—‘“ßÿŁ"), maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(narrow, texts), (text) => {
        expect(cells(text)).toBe(stringWidth(text));
        expect(cells(`\u001b[1m${text}\u001b[22m`)).toBe(stringWidth(text));
      }),
    );
  });
});

describe("fitting text into columns", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly ten", 11, "exactly ten"],
    ["somewhat longer", 9, "somewhat…"],
    ["日本語テキスト", 7, "日本語…"],
  ])("cuts %j to %i cells", (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it("cuts the beginning and keeps the end", () => {
    expect(cutStart("the end is what matters", 12)).toBe("…hat matters");
    expect(cutStart("short", 12)).toBe("short");
  });

  it("breaks between words, keeps indents and line breaks, and breaks words that are too long", () => {
    expect(wrap("one two three\n  indented words here\nabcdefghijklmnop", 12)).toEqual([
      "one two",
      "three",
      "  indented",
      "  words here",
      "abcdefghijkl",
      "mnop",
    ]);
  });

  it("puts the lines of a list item under its text", () => {
    expect(wrap("- one two three four\n12. five six seven eight", 14)).toEqual([
      "- one two",
      "  three four",
      "12. five six",
      "    seven",
      "    eight",
    ]);
  });

  it("breaks prose and leaves code and tables alone", () => {
    const code = "const answer = await run(question, { config });";
    const table = "| one cell | another cell | a third cell |";
    expect(wrapProse(`Some prose that is long.\n\n\`\`\`ts\n${code}\n\`\`\`\n${table}\n    ${code}`, 12)).toEqual([
      "Some prose",
      "that is",
      "long.",
      "",
      "```ts",
      code,
      "```",
      table,
      `    ${code}`,
    ]);
  });

  it("never gives a row wider than asked for", () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        expect(cells(cut(text, width))).toBeLessThanOrEqual(width);
        expect(cells(cutStart(text, width))).toBeLessThanOrEqual(width);
        expect(cells(pad(text, width))).toBe(width);
        for (const row of wrap(text, width)) expect(cells(row)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("loses no character by wrapping", () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        expect(wrap(text, width).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
    );
  });
});
