import { isSameText } from "./exact.js";
import { markedAnswer, plainText } from "./plain-text.js";

/**
 * The place of the choice an answer takes, from 0; `null` when it takes none, or more than one.
 *
 * Read in this order: what it marks as its answer; the last "answer is B", "option B"; the last line that is a letter; the
 * last "(B)"; the whole text, when it is that of a choice.
 */
export function choiceIn(text: string, choices: readonly string[]): number | null {
  const marked = markedAnswer(text);
  if (marked !== null) return choiceAt(marked, choices);
  const plain = plainText(text);
  const last = String.fromCharCode(64 + choices.length);
  const letter = `\\(?([A-${last}])(?![\\p{L}\\p{N}'’])`;
  for (const pattern of [
    new RegExp(`\\b(?:answer|option|choice)\\b(?:\\s+is)?[\\s:]*(?:option\\s+)?${letter}`, "giu"),
    new RegExp(`^\\s*\\(?([A-${last}])[).:]?\\s*$`, "gimu"),
    new RegExp(`\\(([A-${last}])\\)`, "gu"),
  ]) {
    const found = [...plain.matchAll(pattern)].at(-1)?.[1];
    if (found !== undefined) return placeOf(found);
  }
  return textOfOne(plain, choices);
}

/** "B", "(b)", "B) Mars", "option B", "Mars". */
function choiceAt(said: string, choices: readonly string[]): number | null {
  const byText = textOfOne(said, choices);
  if (byText !== null) return byText;
  const head = /^\(?(?:option|choice|letter)?\s*\(?([A-Z])\)?(?:[).:,–—-]+\s*|\s+|$)(.*)$/i.exec(said.trim().replace(/[.\s]+$/, ""));
  if (head === null) return null;
  const [, letter = "", rest = ""] = head;
  const place = placeOf(letter);
  if (place >= choices.length) return null;
  if (rest === "" || isSameText(rest, choices[place] ?? "")) return place;
  // "B, because …" takes B; "A and C" takes two, and "A cat" none of them.
  const isBound = /^\(?(?:option|choice|letter)?\s*\(?[A-Z](?:\)|[.:,–—-])/i.test(said.trim()) || /^[(–—-]|^because\b/i.test(rest);
  const namesAnother = new RegExp(
    `(?:^|\\b(?:and|or)\\s+|[,/&]\\s*)\\(?[A-${String.fromCharCode(64 + choices.length)}]\\)?(?:[\\s.,)]|$)`,
  ).test(rest);
  return isBound && !namesAnother ? place : null;
}

const placeOf = (letter: string): number => letter.toUpperCase().charCodeAt(0) - 65;

function textOfOne(text: string, choices: readonly string[]): number | null {
  const same = choices.flatMap((choice, place) => (isSameText(choice, text) ? [place] : []));
  return same.length === 1 ? (same[0] ?? null) : null;
}
