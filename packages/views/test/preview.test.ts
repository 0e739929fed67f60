import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, oneLine, preview } from "../src/index.js";

describe("previews", () => {
  it("EC49: a preview never ends in half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 30 }), (text, limit) => {
        const cut = preview(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(Array.from(cut).length).toBe(Math.min(limit, Array.from(text).length));
        if (!/\p{Surrogate}/u.test(text)) expect(cut).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  it("counts characters, not code units", () => {
    expect(preview("👩🚀🎉", 2)).toBe("👩🚀");
    expect(preview("👩🚀🎉", 3, "…")).toBe("👩🚀🎉");
    expect(preview("👩🚀🎉", 2, "…")).toBe("👩🚀…");
  });

  it("puts a text on one line and drops what would steer a terminal", () => {
    expect(oneLine(" a\r\n\tb\u001b[31m\u0007c\u2028d ")).toBe("a b [31m c d");
  });

  it("says with an ellipsis that a quotation was cut, also when only blanks were", () => {
    expect(excerpt("short", 10)).toBe("short");
    expect(excerpt("one two three", 7)).toBe("one two…");
    expect(excerpt(`a${" ".repeat(100)}b`, 10)).toBe("a…");
  });
});
