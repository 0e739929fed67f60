import { visibleWidth } from "@earendil-works/pi-tui";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A terminal that knows what the screen uses: going to a cell, colours, erasing to the edge. Throws at anything else. */
export function createEmulator(
  columns: number,
  rows: number,
): { readonly write: (text: string) => void; readonly rows: (options?: { colours: boolean }) => readonly string[] } {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ letter: " ", colours: "" })));
  let [row, column, colours] = [0, 0, ""];
  const put = (letter: string): void => {
    const width = visibleWidth(letter);
    if (column + width > columns) throw new Error(`${JSON.stringify(letter)} does not fit on row ${row + 1} any more`);
    for (let cell = 0; cell < width; cell++) grid[row]![column + cell] = { letter: cell === 0 ? letter : "", colours };
    column += width;
  };
  return {
    write(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
      for (const [sequence] of text.matchAll(/\u001b\[[?\d;]*[A-Za-z]|[^\u001b]+/g)) {
        const place = /\[(\d+);(\d+)H$/.exec(sequence);
        if (!sequence.startsWith("\u001b")) for (const { segment } of segmenter.segment(sequence)) put(segment);
        else if (place !== null) [row, column] = [Number(place[1]) - 1, Number(place[2]) - 1];
        else if (sequence.endsWith("m")) colours = sequence === "\u001b[0m" ? "" : colours + sequence;
        else if (sequence.endsWith("K")) for (; column < columns; ) put(" ");
        else if (!/\[\?\d+[hl]$/.test(sequence)) throw new Error(`the screen does not use ${JSON.stringify(sequence)}`);
      }
    },
    rows: ({ colours: withColours } = { colours: false }) =>
      grid.map((cells) => cells.map(({ letter, colours: own }) => (withColours && letter !== "" ? `${own}${letter}` : letter)).join("")),
  };
}
