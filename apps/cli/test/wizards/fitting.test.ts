import { describe, expect, it } from "vitest";
import { type Choice, fittingIn, NO_NAME } from "../../src/wizards/fitting.js";

const choices: readonly Choice[] = [
  { value: "a", label: "gpt-5-mini" },
  { value: "b", label: "gpt-5-nano", hint: "cheap" },
  { value: "c", label: "tools/web-search/team", hint: "3 agents: claude-opus" },
  { value: "d", label: "basic/multi/gpt5nano_glm_qwen" },
  { value: `${NO_NAME}other`, label: "another" },
];

describe("what fits the letters that were typed", () => {
  it.each([
    ["", "abcd"],
    ["nano", "bd"],
    ["NANO 5-", "b"],
    ["web", "c"],
    ["claude", "c"],
    ["cheap", "b"],
    ["5mini", "a"],
    ["twst", "c"],
    ["zzz", ""],
  ])("%j: %s, and always what is no name", (search, expected) => {
    const fits = fittingIn(choices);
    const found = choices.filter((choice) => fits(search, choice)).map(({ value }) => value);
    expect(found).toEqual([...expected, `${NO_NAME}other`]);
  });
});
