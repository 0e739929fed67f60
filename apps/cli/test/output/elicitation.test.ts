import type { Elicit } from "@massgen/sdk";
import { describe, expect, it } from "vitest";
import { askForm } from "../../src/output/elicitation/ask-form.js";
import { fieldOf, type Value } from "../../src/output/elicitation/field.js";

describe("a field of a form", () => {
  const several = { type: "array", items: { enum: ["red", "blue"] }, minItems: 1, maxItems: 1 };
  const rows: readonly (readonly [object, string, Value | { readonly why: string }])[] = [
    [{ type: "string" }, "a b", "a b"],
    [{}, "anything", "anything"],
    [{ type: "string", minLength: 3 }, "ab", { why: "at least 3 characters" }],
    [{ type: "string", maxLength: 3 }, "abcd", { why: "at most 3 characters" }],
    [{ type: "integer" }, "3", 3],
    [{ type: "integer" }, "3.5", { why: "a whole number" }],
    [{ type: "number" }, "3.5", 3.5],
    [{ type: "number" }, "many", { why: "a number" }],
    [{ type: "integer", minimum: 1 }, "0", { why: "at least 1" }],
    [{ type: "integer", maximum: 9 }, "10", { why: "at most 9" }],
    [{ type: "boolean" }, "Yes", true],
    [{ type: "boolean" }, "n", false],
    [{ type: "boolean" }, "perhaps", { why: "yes or no" }],
    [{ type: "string", enum: ["red", "blue"] }, "RED", "red"],
    [{ oneOf: [{ const: "r", title: "Red" }] }, "g", { why: "one of r" }],
    [{ type: "array", items: { anyOf: [{ const: "r" }, { const: "b" }] } }, "r, b", ["r", "b"]],
    [several, "green", { why: "any of red, blue, with commas between them" }],
    [several, ",", { why: "at least 1" }],
    [several, "red, blue", { why: "at most 1" }],
  ];
  it.each(rows)("%j reads %j as %j", (schema, line, expected) => {
    const reading = fieldOf("f", schema, true).read(line);
    expect(reading.ok ? reading.value : { why: reading.why }).toEqual(expected);
  });
});

/** A person who types these lines; `null` leaves. */
async function asked(asks: Parameters<Elicit>[0]["asks"], lines: readonly (string | null)[]) {
  const waiting = [...lines];
  let shown = "";
  const answer = await askForm(
    { server: "desk", message: "Where to?\u001b[2J", asks },
    {
      say: (text) => {
        shown += `${text}\n`;
      },
      ask: (prompt) => {
        shown += prompt;
        return Promise.resolve(waiting.shift() ?? null);
      },
    },
  );
  return { answer, shown };
}

describe("a question of a server's at the terminal", () => {
  const form = {
    kind: "form",
    fields: {
      city: { type: "string", title: "City", description: "in \u001b[31mEurope" },
      days: { type: "integer", default: 3 },
      note: { type: "string" },
    },
    required: ["city"],
  } as const;

  it("asks for each field, again for what does not fit, and sends what was looked at", async () => {
    const { answer, shown } = await asked(form, ["", "Rome", "x", "", "", "y"]);
    expect(answer).toEqual({ action: "accept", content: { city: "Rome", days: 3 } });
    expect(shown).toContain('The MCP server "desk" asks you, not the agents: Where to?');
    expect(shown).toContain("City (text; in ");
    expect(shown).toContain("It takes something: it is needed.");
    expect(shown).toContain("days (whole number, empty for 3): ");
    expect(shown).toContain("It takes a whole number.");
    expect(shown).toContain("note (text, may be empty): ");
    expect(shown).toContain("Send city = Rome, days = 3? [y]es, [n]o: ");
    // Nothing a server says commands the terminal.
    expect(shown).not.toContain("\u001b");
  });

  it.each([
    ["! at any field", ["Rome", "!"], "decline"],
    ["no in the end", ["Rome", "", "", "n"], "decline"],
    ["anything but yes in the end", ["Rome", "", "", ""], "decline"],
    ["leaving", ["Rome", null], "cancel"],
    ["leaving in the end", ["Rome", "", "", null], "cancel"],
  ])("sends nothing after %s", async (_what, lines, action) => expect((await asked(form, lines)).answer).toEqual({ action }));

  it("shows where an address leads and opens nothing", async () => {
    const url = { kind: "url", url: "https://pay.example/now" } as const;
    const { answer, shown } = await asked(url, ["y"]);
    expect(answer).toEqual({ action: "accept" });
    expect(shown).toContain("an address of pay.example: https://pay.example/now");
    expect((await asked(url, ["n"])).answer).toEqual({ action: "decline" });
    expect((await asked(url, [null])).answer).toEqual({ action: "cancel" });
  });
});
