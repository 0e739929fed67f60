import { markedAnswer, plainText } from "./plain-text.js";

/** What an answer to an exact question comes to: what it marks as its answer, else the last line that says something. */
export function exactIn(text: string): string | null {
  const said =
    markedAnswer(text) ??
    plainText(text)
      .split("\n")
      .findLast((line) => line.trim() !== "");
  return said === undefined || normalised(said) === "" ? null : said.trim();
}

/** Two texts that say the same: case, width, white space, quotes around them and marks at their end do not count. */
export const isSameText = (a: string, b: string): boolean => normalised(a) === normalised(b);

const normalised = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[\s"'“”‘’«»„*_]+|[\s"'“”‘’«»*_.!,;:。]+$/g, "");
