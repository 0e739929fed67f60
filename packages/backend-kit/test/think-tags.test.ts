import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitThinkTags } from "../src/index.js";

function split(...pieces: readonly string[]) {
  const splitter = splitThinkTags();
  const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.end()];
  return [parts.map(({ reasoning }) => reasoning).join(""), parts.map(({ text }) => text).join("")];
}

const cases: readonly (readonly [string, string, string])[] = [
  ["<think>I see.</think>Yes.", "I see.", "Yes."],
  ["\n <think>\nI see.\n</think>\n\nYes.", "\nI see.\n", "Yes."],
  ["Yes. <think>no</think>", "", "Yes. <think>no</think>"],
  ["<thinking>no</thinking>", "", "<thinking>no</thinking>"],
  ["  plain", "", "  plain"],
  ["<think>a < b </thin k</think>c<think>d</think>", "a < b </thin k", "c<think>d</think>"],
  ["<think>never closed", "never closed", ""],
  ["<think>cut </thi", "cut </thi", ""],
  ["<thi", "", "<thi"],
  ["<think></think>", "", ""],
  ["", "", ""],
];

describe("splitThinkTags", () => {
  it.each(cases)("%j", (whole, reasoning, text) => expect(split(whole)).toEqual([reasoning, text]));

  it.each(cases)("%j, in single characters and cut anywhere", (whole, reasoning, text) => {
    expect(split(...whole)).toEqual([reasoning, text]);
    for (let cut = 0; cut <= whole.length; cut++) expect(split(whole.slice(0, cut), whole.slice(cut))).toEqual([reasoning, text]);
  });

  it("leaves any text alone that does not begin with a tag", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string()),
        (pieces) => pieces.join("").trimStart().startsWith("<think>") || split(...pieces)[1] === pieces.join(""),
      ),
    );
  });

  it("holds back nothing of a message that has begun otherwise", () => {
    const splitter = splitThinkTags();
    expect([splitter.push("<"), splitter.push("b>"), splitter.push("<think>")]).toEqual([
      { text: "", reasoning: "" },
      { text: "<b>", reasoning: "" },
      { text: "<think>", reasoning: "" },
    ]);
  });
});
