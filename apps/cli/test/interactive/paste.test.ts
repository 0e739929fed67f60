import { describe, expect, it } from "vitest";
import { createPasteFilter, withBreaks, withoutBreaks } from "../../src/interactive/paste.js";

const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** What the editor gets when the terminal sends these pieces. */
function filtered(pieces: readonly Buffer[]): string {
  const filter = createPasteFilter();
  return Buffer.concat(pieces.map(filter)).toString("utf8");
}

describe("pasted texts", () => {
  it.each([
    ["typed\r", "typed\r"],
    [pasted("one\ntwo\n"), "one␊two␊"],
    [pasted("one\r\ntwo\rthree"), "one␊two␊three"],
    [`a${pasted("b\nc")}d\r`, "ab␊cd\r"],
    [pasted("\tä 漢 🎈\u0003\u001b[A\u0007"), "    ä 漢 🎈[A"],
    ["\u001b[A\u001b", "\u001b[A\u001b"],
    [`${pasted("a")}${pasted("\nb")}`, "a␊b"],
  ])("%j come as %j, however they are cut", (sent, expected) => {
    const bytes = Buffer.from(sent);
    expect(filtered([bytes])).toBe(expected);
    for (let at = 1; at < bytes.length; at++) {
      // A lone Escape at the end of what was read is the key, and is passed on at once.
      if (bytes[at - 1] === 0x1b) continue;
      expect(filtered([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toBe(expected);
    }
  });

  it("have their line breaks again when they are sent", () => {
    expect(withBreaks(withoutBreaks("one\n\ntwo"))).toBe("one\n\ntwo");
  });
});
