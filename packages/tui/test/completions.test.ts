import { describe, expect, it } from "vitest";
import { createCompletions, type FolderEntry } from "../src/index.js";

const TREE: Readonly<Record<string, readonly FolderEntry[]>> = {
  ".": [
    { name: "src", isFolder: true },
    { name: "Setup.md", isFolder: false },
    { name: ".env", isFolder: false },
    { name: "süß.txt", isFolder: false },
    { name: "my notes", isFolder: true },
    { name: "red\u001b]0;owned\u0007.md", isFolder: false },
    { name: "right\u202eleft.md", isFolder: false },
    { name: 'quoted".md', isFolder: false },
  ],
  "my notes/": [
    { name: "a, b.md", isFolder: false },
    { name: "plain.md", isFolder: false },
  ],
  "/etc/": [{ name: "passwd", isFolder: false }],
  "src/": [{ name: "main.ts", isFolder: false }],
};
const completions = createCompletions({ list: (folder) => Promise.resolve(TREE[folder] ?? []) });
const signal = new AbortController().signal;
const offered = async (text: string): Promise<readonly string[]> => {
  const lines = text.split("\n");
  const found = await completions.getSuggestions(lines, lines.length - 1, lines.at(-1)?.length ?? 0, { signal });
  return found?.items.map(({ value }) => value) ?? [];
};

describe("completion at the prompt", () => {
  it.each([
    ["@", ['@"my notes/"', "@src/", "@Setup.md", "@süß.txt"]],
    ["@m", ['@"my notes/"']],
    ['@"s', ['@"src/"', '@"Setup.md"', '@"süß.txt"']],
    ['see @"my notes/', ['@"my notes/a, b.md"', '@"my notes/plain.md"']],
    ["@r", []],
    ["@q", []],
    ["look at @s", ["@src/", "@Setup.md", "@süß.txt"]],
    ["look at @sü", ["@süß.txt"]],
    ["@.", ["@.env"]],
    ["@src/", ["@src/main.ts"]],
    ["first\nsecond @src/m", ["@src/main.ts"]],
    ["see @/etc/pa", ["@/etc/passwd"]],
    ["mail me@s", []],
    ["@nowhere/x", []],
    ["/hel", ["/help"]],
    ["/", expect.arrayContaining(["/help", "/quit", "/history"])],
    ["a/b", []],
    ["text\n/hel", []],
    ["/inject", []],
  ])("offers for %j", async (text, wanted) => {
    expect(await offered(text)).toEqual(wanted);
  });

  it("is told apart from a command where a path begins with a slash: Enter on it chooses, and sends nothing", async () => {
    const found = await completions.getSuggestions(["@/etc/pa"], 0, 8, { signal });
    expect(found?.prefix).toBe("@/etc/pa");
  });

  it.each([
    ["see @s now", 6, "@src/", "see @src/ now", 9],
    ["see @S", 6, "@Setup.md", "see @Setup.md ", 14],
    ["see @S now", 6, "@Setup.md", "see @Setup.md now", 13],
    ["see @m", 6, '@"my notes/"', 'see @"my notes/"', 15],
    ['see @"my notes/"', 15, '@"my notes/a, b.md"', 'see @"my notes/a, b.md" ', 24],
  ])("puts what was chosen into %j", async (text, column, value, line, cursor) => {
    const { prefix } = (await completions.getSuggestions([text], 0, column, { signal }))!;
    expect(completions.applyCompletion([text], 0, column, { value, label: value }, prefix)).toEqual({
      lines: [line],
      cursorLine: 0,
      cursorCol: cursor,
    });
  });
});
