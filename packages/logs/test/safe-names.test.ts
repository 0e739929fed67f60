import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeNames } from "../src/index.js";

const nameOf = (id: string): string => safeNames([id]).get(id)!;

describe("folder names of agents", () => {
  it.each([
    ["agent_a", "agent_a"],
    ["研究者", "研究者"],
    ["a/b", "a_b"],
    ["a\\b", "a_b"],
    ["😀 smiley", "😀_smiley"],
    ["..", "agent"],
    [".hidden.", "hidden"],
    ["", "agent"],
    ['<>:"|?*', "_______"],
    ["line\nbreak", "line_break"],
    ["e\u0301", "é"],
    ["\u0000", "_"],
    ["\ud800x", "_x"],
  ])("EC46: %j is %j", (id, name) => expect(nameOf(id)).toBe(name));

  it.each(["final", "FINAL", "agent_outputs", "subagents", "turn_1", "attempt_2", "con", "NUL", "com1", "Lpt9"])("%s is reserved", (id) => {
    expect(nameOf(id)).toBe(`${id}_2`);
  });

  it("a device of Windows stays one whatever ends its name", () =>
    expect([nameOf("aux.txt"), nameOf("CON.a.b")]).toEqual(["aux_2.txt", "CON_2.a.b"]));

  it("EC46: ids that differ only in case, form or forbidden characters get different folders", () => {
    expect([...safeNames(["Bob", "bob", "BOB", "a/b", "a:b", "ﬁ", "fi"]).values()]).toEqual([
      "Bob",
      "bob_2",
      "BOB_3",
      "a_b",
      "a_b_2",
      "ﬁ",
      "fi_2",
    ]);
  });

  it("are different without regard to case, at most 80 bytes, and never lead anywhere else", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(
            fc.string({ unit: "binary" }),
            fc.constantFrom("a", "A", "a_2", "A_2", "x".repeat(200), "語".repeat(60), "語".repeat(61), "con.txt", "turn_1", "final"),
          ),
        ),
        (ids) => {
          const names = [...safeNames(ids).values()];
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
          for (const name of names) {
            expect(Buffer.byteLength(name)).toBeLessThanOrEqual(80);
            expect(name).not.toMatch(/[/\\<>:"|?*\s\p{Cc}]|^\.|\.$|^$/u);
          }
        },
      ),
    );
  });
});
