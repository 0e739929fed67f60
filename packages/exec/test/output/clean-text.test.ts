import { cleanText } from "@massgen/exec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("cleanText", () => {
  it.each([
    ["FS-03: a line drawn over", "tick\r\x1b[2K\x1b[1Gdone\n", "done\n"],
    ["T4.9: a write to the clipboard", "a\x1b]52;c;aGk=\x07b", "ab"],
    ["T4.9: a cleared screen", "a\x1b[2Jb\x1b[0;31mc", "abc"],
    ["an unfinished title", "a\x1b]0;evil", "a"],
    ["a device control string", "a\x1bPq#0\x1b\\b", "ab"],
    ["8-bit control characters", "a\x9b31mb\x85c", "abc"],
    ["text that turns around", "safe\u202etxt.exe\u2066", "safetxt.exe"],
    ["line ends of Windows", "a\r\nb\r\n", "a\nb\n"],
    ["a progress bar", " 1%\r 50%\r100%\r\nnext", "100%\nnext"],
    ["tabs, accents and emoji stay", "\té 👩‍💻 ☂\n", "\té 👩‍💻 ☂\n"],
    ["NUL and bell", "a\0b\x07c\x7f", "abc"],
  ])("%s", (_name, raw, clean) => {
    expect(cleanText(raw)).toBe(clean);
  });

  it("cuts long lines and says so", () => {
    expect(cleanText(`${"x".repeat(2_500)}\nshort`)).toBe(`${"x".repeat(2_000)} [+500 characters]\nshort`);
  });

  it("leaves no control character but tab and line end, whatever comes", () => {
    const noise = fc.array(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\x1b", "[", "]", "\x07", "\r", "\n", "\x9b", "P", "\\")),
    );
    fc.assert(
      fc.property(noise, (pieces) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the claim
        expect(cleanText(pieces.join(""))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      }),
    );
  });
});
