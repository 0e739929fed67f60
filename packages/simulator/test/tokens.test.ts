import { describe, expect, it } from "vitest";
import { countTokens, splitTokens } from "../src/index.js";

describe("tokens", () => {
  it.each([
    ["", []],
    ["one two", ["one", " two"]],
    ["idempotency", ["idempo", "tency"]],
    ["a, b!", ["a", ",", " b", "!"]],
    ["x\n\n  y", ["x", "\n\n  ", "y"]],
    ["一个 词", ["一", "个", " 词"]],
    ["Größe Ωμέγα", ["Größe", " Ωμέγα"]],
    ["\u{1F600}\u{1F600}", ["\u{1F600}", "\u{1F600}"]],
    [" ", [" "]],
    ["end ", ["end", " "]],
    ["\ud83d", ["\ud83d"]],
  ])("%j is cut into %j", (text, tokens) => {
    expect(splitTokens(text)).toEqual(tokens);
    expect(countTokens(text)).toBe(tokens.length);
  });

  it("joined, they are the text again, and cut between tokens they count the same", () => {
    const text = "A list:\n\n1. first — 第一, \u{1F468}\u200D\u{1F469}\n2. `code(x)`\t| cell |\r\n";
    const tokens = splitTokens(text);
    expect(tokens.join("")).toBe(text);
    for (let end = 0; end <= tokens.length; end++) expect(countTokens(tokens.slice(0, end).join(""))).toBe(end);
  });
});
