import type { CellWidth } from "../src/index.js";

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What a terminal does with the texts of these tests. */
export const cellWidth: CellWidth = (text) => {
  let cells = 0;
  for (const { segment } of graphemes.segment(text)) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
};
