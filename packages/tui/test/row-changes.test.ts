import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle } from "../src/index.js";
import { createPainter } from "../src/terminal/painter.js";
import { filled } from "../src/text.js";
import { createEmulator } from "./emulator.js";

const style = createStyle("dark");
const piece = fc.tuple(
  fc.constantFrom("a", "words and more words", "  ", "│", "▸ ✓ ★", "漢字", "🦊", "é", "0.1 s", "0.2 s", "───────────────"),
  fc.constantFrom("plain", "strong", "accent", "bad", "selected"),
);
const row = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.map(([text, role]) => style(role as never, text)).join(""));
const frame = fc.array(row, { minLength: 3, maxLength: 3 });

describe("the painter", () => {
  it("has the terminal show each frame as if it had been written whole, whatever stood there", () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 6 }), fc.integer({ min: 8, max: 60 }), (frames, columns) => {
        const seen = createEmulator(columns, 3);
        const painter = createPainter(seen);
        for (const rows of frames) {
          painter.paint(rows, columns);
          const whole = createEmulator(columns, 3);
          createPainter(whole).paint(rows, columns);
          expect(seen.rows({ colours: true })).toEqual(whole.rows({ colours: true }));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("writes what changed of a row, and no more", () => {
    const written: string[] = [];
    const painter = createPainter({ write: (text) => void written.push(text) });
    painter.paint([`${filled("a question", 50)} 1.0 s`], 60);
    painter.paint([`${filled("a question", 50)} 1.1 s`], 60);
    expect(written[1]).toBe("\u001b[?2026h\u001b[1;54H1\u001b[?2026l");
    painter.paint(["a question"], 60);
    expect(written[2]).toBe("\u001b[?2026h\u001b[1;52H\u001b[K\u001b[?2026l");
  });
});
