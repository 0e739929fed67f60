import { expect, it } from "vitest";
import { addressed } from "../../src/output/addressed.js";

it.each([
  ["It has 512 MB.", null, "It has 512 MB."],
  ["@ada It has 512 MB.", "ada", "It has 512 MB."],
  ["  @ada  two\nlines", "ada", "two\nlines"],
  ["@eve It has 512 MB.", null, "@eve It has 512 MB."],
  ["@ada", null, "@ada"],
  ["mail ada@bob now", null, "mail ada@bob now"],
])("%j is for %s", (typed, agent, text) => {
  expect(addressed(typed, ["ada", "bob"])).toEqual({ agent, text });
});
