import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle } from "../src/index.js";
import { cellsOf, cut, filled, narrowCells } from "../src/text.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are not compared: where they end may differ
const bare = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, "");
const style = createStyle("dark");
const piece = fc.oneof(
  fc.constantFrom(
    "plain words",
    "▸ ✓ ★ ● ○ ✗ ↻",
    "── │┌┐└┘ █░",
    "→ …·–",
    "naïve café",
    "漢字",
    "🦊",
    "e\u0301",
    "שלום",
    "\u200d",
    "ﷺ",
    "\u00ad",
    " ",
  ),
  fc.string({ maxLength: 12, unit: "grapheme" }).map((text) => text.replaceAll(/[\p{Cc}]/gu, "")),
);
const line = fc
  .array(fc.tuple(piece, fc.constantFrom("plain", "strong", "accent", "bad")), { maxLength: 8 })
  .map((pieces) => pieces.map(([text, role]) => style(role as never, text)).join(""));

describe("a line on so many cells", () => {
  it("is measured as the terminal does, the quick way and the slow one", () => {
    for (let code = 0x20; code < 0x2800; code++) {
      const letter = String.fromCharCode(code);
      const cells = narrowCells(letter);
      if (cells !== null) expect({ letter, cells }).toEqual({ letter, cells: visibleWidth(letter) });
    }
    fc.assert(
      fc.property(line, (text) => {
        expect(cellsOf(text)).toBe(visibleWidth(text));
      }),
    );
  });

  it("is cut and filled the same way, whatever is in it", () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(bare(cut(text, width))).toBe(bare(truncateToWidth(text, width, "…")));
        expect(bare(filled(text, width))).toBe(bare(truncateToWidth(text, width, "…", true)));
        expect(visibleWidth(filled(text, width))).toBe(width);
      }),
    );
  });
});
