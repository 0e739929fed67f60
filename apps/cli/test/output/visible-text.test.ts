import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleJson, visibleLine, visibleText } from "../../src/output/visible-text.js";

const HOSTILE =
  "\u001b]0;owned title\u0007\u001b]52;c;cm0gLXJmIH4=\u0007\u001b[2J\u001b[H\u001b[31mred\u001b[0m \u001b]8;;https://evil.example/\u0007click\u001b]8;;\u0007 \u009b31mC1 \u001bP+q544e\u001b\\ \u001bc a\rb \u202e.txt.exe\u202c \u001b[?1049h\u001b[6n\u0007end";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters a terminal obeys
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("text of models on its way to a terminal", () => {
  it("shows control sequences instead of sending them (title, clipboard, clear, link, C1, device queries, direction marks)", () => {
    expect(visibleText(HOSTILE)).toMatchInlineSnapshot(
      `"␛]0;owned title␇␛]52;c;cm0gLXJmIH4=␇␛[2J␛[H␛[31mred␛[0m ␛]8;;https://evil.example/␇click␛]8;;␇ <U+009B>31mC1 ␛P+q544e␛\\ ␛c a␍b <U+202E>.txt.exe<U+202C> ␛[?1049h␛[6n␇end"`,
    );
  });

  it("keeps tab and newline, and reads CRLF as a newline", () => {
    expect(visibleText("a\tb\r\nc\nd")).toBe("a\tb\nc\nd");
  });

  it("leaves other languages and emoji alone", () => {
    const text = "Ünïcödé 日本語 العربية 👩‍👩‍👧‍👦";
    expect(visibleText(text)).toBe(text);
  });

  it("never lets a control character through, however a stream was cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
        const place = at % (text.length + 1);
        for (const shown of [visibleText(text), visibleText(text.slice(0, place)) + visibleText(text.slice(place)), visibleLine(text)]) {
          expect(shown).not.toMatch(OBEYED);
        }
      }),
    );
  });

  it("gives JSON that means the same and holds no control character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = visibleJson({ text });
        expect(json).not.toMatch(OBEYED);
        expect(json).not.toContain("\n");
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
