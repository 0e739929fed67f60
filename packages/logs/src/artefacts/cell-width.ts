import type { CellWidth } from "@massgen/views";

/** One cell each: what the plainest texts are made of. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Texts with signs come again in every table of every run; the cache is emptied when it has grown to this. */
const MOST_KNOWN = 2_000;
const known = new Map<string, number>();

/**
 * Cells of a text on a terminal. Loaded with the first text that needs it: the library takes 40 ms to begin, which no run
 * should wait for at its start. It looks at each character twice, so what can be known without it is (`serve.json`).
 */
export async function loadCellWidth(): Promise<CellWidth> {
  const { default: stringWidth } = await import("string-width");
  return (text) => {
    if (PLAIN.test(text)) return text.length;
    const found = known.get(text);
    if (found !== undefined) return found;
    const width = stringWidth(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, width);
    return width;
  };
}
