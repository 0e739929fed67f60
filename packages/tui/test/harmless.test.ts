import { Editor, TUI, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmless, typeable } from "../src/prompt/harmless.js";

const nothing = (): void => {};
const plain = (text: string): string => text;
function editor(): Editor {
  const terminal = { columns: 60, rows: 15, start: nothing, stop: nothing, write: nothing } as unknown as ConstructorParameters<
    typeof TUI
  >[0];
  const selectList = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain };
  return new Editor(new TUI(terminal), { borderColor: plain, selectList });
}
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;
// The editor inverts the cell of its cursor, and marks the place for programs that write other scripts.
const OWN = ["\u001b[7m", "\u001b[0m", "\u001b_pi:c\u0007"];
const isCommand = (code: number): boolean =>
  code < 32 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
const commands = (rows: readonly string[]): readonly string[] =>
  [...OWN.reduce((text, own) => text.replaceAll(own, ""), rows.join(""))].filter((character) => isCommand(character.codePointAt(0)!));
const piece = fc.constantFrom(
  "a",
  " ",
  "\n",
  "\u0007",
  "\u001b",
  "\u0085",
  "\u009b",
  "\u202e",
  "\u2066",
  "日",
  "é",
  "]0;",
  "[31m",
  "👩‍👩‍👧‍👦",
);
const foreign = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(""));

describe("foreign text in the editor", () => {
  it("commands nothing when it was pasted, and keeps within the window", () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const typing = editor();
        typing.handleInput(paste(text.replaceAll("\u001b[201~", "")));
        const rows = harmless(typing).render(60);
        expect(commands(rows)).toEqual([]);
        expect(rows.every((row) => visibleWidth(row) <= 60)).toBe(true);
      }),
    );
  });

  it("commands nothing when it comes from the history or a question that waited", () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const typing = editor();
        typing.setText(typeable(text));
        expect(commands(harmless(typing).render(60))).toEqual([]);
      }),
    );
  });

  it("is sent with its lines, whatever of it is shown", () => {
    expect(typeable("a\r\nb\tc\u001b[31m日本\n")).toBe("a\nb    c[31m日本\n");
  });
});
