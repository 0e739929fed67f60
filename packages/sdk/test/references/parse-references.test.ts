import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReferences } from "../../src/references/parse-references.js";

/** `r:path`, `w:path`, with `?` when it may be text; pieces of text are left out. */
const shown = (text: string): readonly string[] =>
  parseReferences(text).flatMap((piece) => (piece.is === "text" ? [] : [`${piece.access[0]}:${piece.path}${piece.maybeText ? "?" : ""}`]));

describe("the references of a question", () => {
  it.each<[text: string, references: readonly string[]]>([
    ["Explain @src/main.ts", ["r:src/main.ts"]],
    ["@src/main.ts", ["r:src/main.ts"]],
    ["Write @out/report.md:w", ["w:out/report.md"]],
    ["Compare @a.ts and @b.ts", ["r:a.ts", "r:b.ts"]],
    ["the folder @src/", ["r:src/"]],
    ["what is in @.", ["r:."]],
    ["and in @..", ["r:.."]],
    ["and in @../lib/..", ["r:../lib/.."]],
    ["mine: @~/notes.md", ["r:~/notes.md"]],
    ["all of @~", ["r:~"]],
    ["absolute @/etc/hosts", ["r:/etc/hosts"]],
    // Where a bare path ends.
    ["Read @src/a.ts.", ["r:src/a.ts"]],
    ["Read @src/a.ts... and more", ["r:src/a.ts"]],
    ["Read @src/a.ts, @src/b.ts; then stop", ["r:src/a.ts", "r:src/b.ts"]],
    ["Have you read @src/a.ts? Yes @src/b.ts!", ["r:src/a.ts", "r:src/b.ts"]],
    ["(see @src/a.ts) [@b.ts] {@c.ts} <@d.ts>", ["r:src/a.ts", "r:b.ts", "r:c.ts", "r:d.ts"]],
    ["the error in @src/a.ts:12", ["r:src/a.ts"]],
    ["`@src/a.ts` and '@src/b.ts'", ["r:src/a.ts", "r:src/b.ts"]],
    ['the file "@src/a.ts" here', ["r:src/a.ts"]],
    ["@src/a.ts:w.", ["w:src/a.ts"]],
    ["@src/a.ts:writes", ["r:src/a.ts"]],
    ["@src/a.ts\n@src/b.ts\r\n", ["r:src/a.ts", "r:src/b.ts"]],
    // Quotes.
    ['Read @"my notes/a b.md"', ["r:my notes/a b.md"]],
    ['Write @"my notes/a b.md":w', ["w:my notes/a b.md"]],
    ['odd @"C:\\Users\\me\\x.txt"', ["r:C:\\Users\\me\\x.txt"]],
    ['open @"never closed', []],
    ['empty @"" here', []],
    // No references.
    ["Write to me@example.org or first.last+tag@mail.example.org", []],
    ["mailto:<me@example.org>", []],
    ["git clone git@github.com:org/repo.git", []],
    ["a literal \\@src/main.ts", []],
    ["alone @ here, and @, and @: and @@x", []],
    ["100%@5 and a_@b and a-@b", []],
    ["```css\n@media/x.css\n```\nbut @src/a.ts", ["r:src/a.ts"]],
    ["~~~\n@a.ts", []],
    // Mentions, decorators and rules of CSS: files only when there are such.
    ["Ask @alice", ["r:alice?"]],
    ["@media (max-width: 600px) { }", ["r:media?"]],
    ["@import url('x.css')", ["r:import?"]],
    ["@Component({selector: 'app'})", ["r:Component({selector?"]],
    ["@Injectable()", ["r:Injectable(?"]],
    ["@app.route('/x')", ["r:app.route('/x?"]],
    ["read @Makefile", ["r:Makefile?"]],
    // Other letters.
    ["読む @資料/計画.md。", ["r:資料/計画.md"]],
    ["読む@資料/計画.md", []],
    ["naïve@café.fr", []],
    ["🙂@src/a.ts", ["r:src/a.ts"]],
    ["a package @scope/name", ["r:scope/name"]],
    ["version @1.2.3 of it", ["r:1.2.3"]],
  ])("%j: %j", (text, references) => expect(shown(text)).toEqual(references));

  it("leave everything else of the text as it is, escapes apart", () => {
    expect(parseReferences("See \\@x, @a.ts: me@b.org.")).toEqual([
      { is: "text", text: "See @x, " },
      { is: "reference", written: "@a.ts", path: "a.ts", access: "read", maybeText: false },
      { is: "text", text: ": me@b.org." },
    ]);
  });

  it("together with the text between them are the text again, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("@", "a", ".", "/", " ", ":w", '"', "`", "\n", "~", ",", "😀", "é", "(") }), (text) => {
        const again = parseReferences(text).map((piece) => (piece.is === "text" ? piece.text : piece.written));
        expect(again.join("")).toBe(text);
      }),
    );
  });

  it("take time in proportion to the text", () => {
    const startedMs = performance.now();
    for (const text of ["@".repeat(200_000), '@"'.repeat(100_000), "@a.".repeat(100_000), "```\n".repeat(50_000), "\n".repeat(200_000)])
      parseReferences(text);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});
