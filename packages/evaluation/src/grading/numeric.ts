import { markedAnswer, plainText } from "./plain-text.js";

type Units = Readonly<Record<string, number>>;

/**
 * The number an answer comes to; `null` when it holds none.
 *
 * Of what it marks as its answer the first number behind the last `=` or `≈`, brackets aside; without a mark the last number
 * of the text. `1,234.5`, `1 234,5`, `1.234,5`, `−3`, `$-3`, `1.2e3`, `1.2 × 10^3`, `3/4`, `2 1/2` and `1.5 million` are
 * understood, `1,234` is one thousand two hundred thirty-four. A unit of `units` behind it is converted, any other is not read.
 */
export function numberIn(text: string, units: Units = {}): number | null {
  const marked = markedAnswer(text);
  if (marked === null) return numbersOf(plainText(text), units).at(-1) ?? null;
  const result = marked.split(/[=≈]/).at(-1) ?? "";
  const bare = result.replaceAll(/\([^()]*\)/g, " ");
  return numbersOf(bare, units)[0] ?? numbersOf(result, units)[0] ?? numbersOf(marked, units).at(-1) ?? null;
}

const SPACES = " '’_\u00a0\u2009\u202f";
/** The alternatives from the most to the least specific: grouped in three ways, then plain. */
const DIGITS = [
  String.raw`\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?`,
  String.raw`\d{1,3}(?:\.\d{3})+,\d+`,
  String.raw`\d{1,3}(?:\.\d{3}){2,}(?![\d,])`,
  String.raw`\d{1,3}(?:[${SPACES}]\d{3})+(?!\d)(?:[.,]\d+)?`,
  String.raw`\d+(?:[.,]\d+)?`,
  String.raw`\.\d+`,
].join("|");
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?<![\d][.,])(?<sign>(?<![\p{L}\p{N})])[-−–+]\s?)?[$€£¥]?\s?(?<inner>[-−])?` +
    String.raw`(?:(?<whole>\d+)\s+(?=\d+\s?/\s?\d))?(?<digits>${DIGITS})` +
    String.raw`(?:[eE](?<e>[-+]?\d{1,3})(?![\p{L}\p{N}])|\s?[×x*·]\s?10\s?\^?\s?\{?(?<power>[-−+]?\d{1,3})\}?)?` +
    String.raw`(?:\s?/\s?(?<divisor>\d+)(?![\d/]))?(?:\s(?<word>thousand|million|billion)\b)?(?:\s?(?<unit>[\p{L}%°µ][\p{L}%°²³/]*))?`,
  "gu",
);
const WORDS: Units = { thousand: 1e3, million: 1e6, billion: 1e9 };

function numbersOf(text: string, units: Units): readonly number[] {
  return [...text.matchAll(NUMBER)].flatMap(({ groups = {} }) => {
    const power = Number((groups["e"] ?? groups["power"] ?? "0").replace("−", "-"));
    const divisor = groups["divisor"] === undefined ? 1 : Number(groups["divisor"]);
    const size = Number(groups["whole"] ?? 0) + (digitsValue(groups["digits"] ?? "") * 10 ** power) / divisor;
    const isNegative = /[-−–]/.test(groups["sign"] ?? "") || groups["inner"] !== undefined;
    const value = (isNegative ? -size : size) * (WORDS[groups["word"] ?? ""] ?? 1) * factorOf(groups["unit"], units);
    return Number.isFinite(value) ? [value] : [];
  });
}

const factorOf = (unit: string | undefined, units: Units): number =>
  unit !== undefined && Object.hasOwn(units, unit) ? (units[unit] ?? 1) : 1;

/** Which of comma and point sets off the decimals is plain from where they stand. */
function digitsValue(digits: string): number {
  const close = digits.replaceAll(new RegExp(`[${SPACES}]`, "g"), "");
  const groupedByComma = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(close);
  const groupedByPoint = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(close);
  const plain = groupedByComma
    ? close.replaceAll(",", "")
    : groupedByPoint
      ? close.replaceAll(".", "").replace(",", ".")
      : close.replace(",", ".");
  return Number(plain);
}
