import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../src/code/languages.js";
import { codeSpans, languageOfPath } from "../src/index.js";

const textOf = (code: string, name: string | undefined): string =>
  codeSpans(code, name)
    .map(({ text }) => text)
    .join("");

describe("code as spans", () => {
  it.each([
    ["ts", "const x = 1;", ["keyword const", "plain  x = ", "literal 1", "plain ;"]],
    ["py", "x = 'it\\'s' # why", ["plain x = ", "literal 'it\\'s'", "plain  ", "comment # why"]],
    ["diff", "@@ a\n+a\n-b\n c", ["place @@ a\n", "added +a\n", "removed -b\n", "plain  c"]],
    ["klingon", "const x", ["plain const x"]],
    [undefined, "const x", ["plain const x"]],
    ["constructor", "const x", ["plain const x"]],
    ["ts", "", []],
  ])("in %s: %j", (name, code, expected) => {
    expect(codeSpans(code, name).map(({ role, text }) => `${role} ${text}`)).toEqual(expected);
  });

  it("are the same text in every language", () => {
    const pieces = fc.constantFrom('"', "'", "`", "\\", "/*", "*/", "//", "#", "--", "\n", " ", "if", "1.5e3", "λ", '"""', "漢", "$", "a");
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES.keys(), "diff", "none"), fc.array(pieces, { maxLength: 60 }), (name, parts) => {
        expect(textOf(parts.join(""), name)).toBe(parts.join(""));
      }),
    );
  });

  it.each(
    [...new Set(LANGUAGES.values())].map((language, index) => [index, [...LANGUAGES].find(([, one]) => one === language)![0]] as const),
  )("%i, %s: what looks like the beginning of everything takes no longer than its length", (_index, name) => {
    for (const unit of ['"\\', "'", "`", "/*", "'''", '"""', "#", "--", "'\\x"]) {
      const code = unit.repeat(20_000);
      // A pattern that goes back and forth would not end before the time limit of a test.
      expect(textOf(code, name)).toBe(code);
    }
  });

  it("says its language by the end of its file's name", () => {
    expect(languageOfPath("src/a.test.ts")).toBe("ts");
    expect(languageOfPath("Dockerfile")).toBe("dockerfile");
    expect(languageOfPath("a/b.PY")).toBe("py");
    expect(languageOfPath("notes.txt")).toBeUndefined();
    expect(languageOfPath("constructor")).toBeUndefined();
  });
});
