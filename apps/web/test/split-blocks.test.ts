import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitBlocks } from "../src/parts/split-blocks.js";

const line = fc.oneof(
  fc.constantFrom("", "text", "- item", "    indented", "```", "~~~", "```js", "````", "# Title", "> quote"),
  fc.string(),
);
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));

describe("splitBlocks", () => {
  it("loses nothing: the pieces joined are the text", () => {
    fc.assert(fc.property(text, (given) => splitBlocks(given).join("") === given));
  });

  it("never changes a finished piece while the text grows, so that none is read again", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const finished = splitBlocks(before).slice(0, -1);
        expect(splitBlocks(before + after).slice(0, finished.length)).toEqual(finished);
      }),
    );
  });

  it.each([
    ["two paragraphs", "one\n\ntwo", ["one\n\n", "two"]],
    ["a fence with a blank line", "```\na\n\nb\n```\n\nafter", ["```\na\n\nb\n```\n\n", "after"]],
    ["a fence within a longer one", "````\n```\n\nx\n````\n\ny", ["````\n```\n\nx\n````\n\n", "y"]],
    ["an open fence", "```\na\n\nb", ["```\na\n\nb"]],
    ["a list item that goes on", "- a\n\n  more\n\nafter", ["- a\n\n  more\n\n", "after"]],
  ])("cuts %s", (_what, given, wanted) => {
    expect(splitBlocks(given)).toEqual(wanted);
  });
});
