import { describe, expect, it } from "vitest";
import { joinLines, type PendingLines, readInput, slashCommands } from "../src/index.js";

describe("what was typed", () => {
  const names = slashCommands.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [word, name] as const));
  it.each(names)("/%s is the command %s", (word, name) => {
    for (const typed of [`/${word}`, `  /${word.toUpperCase()}  `])
      expect(readInput(typed)).toMatchObject({ is: "command", command: { name }, argument: "" });
    expect(readInput(`/${word} a  b`)).toMatchObject({ is: "command", command: { name }, argument: "a  b" });
  });

  it("has no command twice", () => {
    expect(new Set(names.map(([word]) => word)).size).toBe(names.length);
  });

  it.each([
    ["quit", "quit"],
    ["EXIT", "quit"],
    ["q", "quit"],
    ["reset", "clear"],
    ["clear", "clear"],
  ])("the bare word %s is /%s", (typed, name) => {
    expect(readInput(typed)).toMatchObject({ is: "command", command: { name } });
  });

  it.each([
    ["Why?", "Why?"],
    ["  why  ", "why"],
    ["//quit now", "/quit now"],
    ["quit smoking, how?", "quit smoking, how?"],
    ["/usr/bin is full, what now?", "/usr/bin is full, what now?"],
    ["a\nb", "a\nb"],
  ])("%j is the question %j", (typed, text) => {
    expect(readInput(typed)).toEqual({ is: "question", text });
  });

  it.each(["", "  ", "\n"])("%j is nothing", (typed) => {
    expect(readInput(typed)).toEqual({ is: "nothing" });
  });

  it.each([
    ["/hlep", "/help"],
    ["/stauts", "/status"],
    ["/hist", "/history"],
    ["/votes", "/vote"],
  ])("%s is no command and no question: %s is near", (typed, near) => {
    const input = readInput(typed);
    expect(input.is === "unknown" && input.near[0]).toBe(near);
  });

  it("says that nothing is near when nothing is", () => {
    expect(readInput("/zzzzzzzz now")).toEqual({ is: "unknown", word: "/zzzzzzzz", near: [] });
  });
});

/** All texts that the lines come to. */
function joined(lines: readonly string[]): readonly string[] {
  let pending: PendingLines | null = null;
  const texts: string[] = [];
  for (const line of lines) {
    const result = joinLines(pending, line);
    pending = result.is === "more" ? result.pending : null;
    if (result.is === "whole") texts.push(result.text);
  }
  return pending === null ? texts : [...texts, "(more)"];
}

describe("several lines", () => {
  it.each([
    [
      ["one", "two"],
      ["one", "two"],
    ],
    [['"""', "one", "", "two", '"""'], ["one\n\ntwo"]],
    [['"""one', 'two"""  '], ["one\ntwo"]],
    [["'''one '''"], ["one "]],
    [['"""one', "two'''", 'three"""'], ["one\ntwo'''\nthree"]],
    [['"""one'], ["(more)"]],
    [["one\\", "two\\", "three"], ["one\ntwo\nthree"]],
    [["C:\\\\"], ["C:\\"]],
    [["one\\\\\\", "two"], ["one\\\ntwo"]],
    [["one\\", '"""two'], ['one\n"""two']],
    [['say """hi"""'], ['say """hi"""']],
  ])("%j are %j", (lines, texts) => {
    expect(joined(lines)).toEqual(texts);
  });
});
