import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlighted } from "../src/code/highlight.js";
import { createStyle } from "../src/index.js";

const dark = createStyle("dark");
// biome-ignore lint/suspicious/noControlCharactersInRegex: the text without its colours
const bare = (lines: readonly string[]): string => lines.join("\n").replaceAll(/\u001b\[[\d;]*m/g, "");
const KEYWORD = "\u001b[35m";
const LITERAL = "\u001b[33m";
const COMMENT = "\u001b[2m";
const END = "\u001b[0m";

describe("code", () => {
  it.each([
    ["ts", "const x = 1;", `${KEYWORD}const${END} x = ${LITERAL}1${END};`],
    ["ts", 'f("a // b"); // c "d"', `f(${LITERAL}"a // b"${END}); ${COMMENT}// c "d"${END}`],
    ["ts", "constant returned", "constant returned"],
    ["tsx", "`a\nb`", `${LITERAL}\`a${END}\n${LITERAL}b\`${END}`],
    ["c++", "/* a\n   b */ int i;", `${COMMENT}/* a${END}\n${COMMENT}   b */${END} ${KEYWORD}int${END} i;`],
    ["Python", 'def f():\n  """a # b"""', `${KEYWORD}def${END} f():\n  ${LITERAL}"""a # b"""${END}`],
    ["py", "x = 'it\\'s' # why", `x = ${LITERAL}'it\\'s'${END} ${COMMENT}# why${END}`],
    ["rust", "fn f<'a>(x: &'a str)", `${KEYWORD}fn${END} f<'a>(x: &'a str)`],
    ["sh", "print $# # count", `print $# ${COMMENT}# count${END}`],
    ["sql", "select 1 -- one", `${KEYWORD}select${END} ${LITERAL}1${END} ${COMMENT}-- one${END}`],
    ["json", '{"a": null}', `{${LITERAL}"a"${END}: ${KEYWORD}null${END}}`],
    ["yaml", "on: true # yes", `${KEYWORD}on${END}: ${KEYWORD}true${END} ${COMMENT}# yes${END}`],
    ["diff", "+a\n-b\n c", `\u001b[32m+a${END}\n\u001b[31m-b${END}\n c`],
    ["klingon", "const x = 1;", "const x = 1;"],
    [undefined, "const x = 1;", "const x = 1;"],
    ["ts", '"never closed', `${LITERAL}"never closed${END}`],
  ])("in %s: %j", (name, code, expected) => {
    expect(highlighted(code, name, dark).join("\n")).toBe(expected);
  });

  it("is the same text in every language, with colours and without", () => {
    const names = ["ts", "py", "go", "rs", "c", "sh", "yaml", "sql", "rb", "json", "diff"];
    const pieces = fc.constantFrom('"', "'", "`", "\\", "/*", "*/", "//", "#", "--", "\n", " ", "if", "1.5e3", "λ", '"""', "漢", "$", "a");
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(pieces, { maxLength: 60 }), (name, parts) => {
        const code = parts.join("");
        expect(bare(highlighted(code, name, dark))).toBe(code);
        // Bold is no colour: the theme without colours keeps it, for the head of a diff.
        expect(bare(highlighted(code, name, createStyle("none")))).toBe(code);
      }),
    );
  });
});
