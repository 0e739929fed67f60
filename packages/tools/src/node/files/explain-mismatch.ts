import { linesOf } from "./text-content.js";

/** More lines than this are not compared: the hint is a help, not a search. */
const COMPARED_LINES = 20_000;
const SHOWN_CHARS = 160;

/** Why a text to be replaced is not in the file, as far as that can be seen: the nearest line and what differs. */
export function explainMismatch(text: string, wanted: string): string {
  const numbered = /^\s*\d+\t/.test(wanted);
  if (numbered) return "old_string begins with a line number and a tab, which read_file adds and the file does not have. Leave them out.";
  const first = linesOf(wanted).find((line) => line.trim() !== "");
  const lines = linesOf(text).slice(0, COMPARED_LINES);
  if (first === undefined || lines.length === 0) return "Read the file and copy the text exactly.";
  for (const { same, what } of forgiving) {
    const key = same(first);
    const index = lines.findIndex((line) => same(line) === key || (key.length > 3 && same(line).includes(key)));
    if (index !== -1) return `${nearest(index, lines)} ${what} Copy the text exactly as read_file shows it.`;
  }
  const index = mostAlike(lines, first);
  return index === -1
    ? "No line is like it. Read the file again."
    : `${nearest(index, lines)} Copy the text exactly as read_file shows it.`;
}

const nearest = (index: number, lines: readonly string[]): string => {
  const line = lines[index]!;
  return `The closest is line ${index + 1}: ${JSON.stringify(line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line)}.`;
};

const straight = (line: string): string =>
  line
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/[\u00a0\u2007\u202f]/g, " ");

/** Differences that are made without noticing, the smaller first. */
const forgiving: readonly { readonly same: (line: string) => string; readonly what: string }[] = [
  { same: (line) => line, what: "That line is as in old_string; a line after it differs." },
  {
    same: straight,
    what: "The file has curly quotes, long dashes or hard spaces where old_string has plain ones, or the other way round.",
  },
  { same: (line) => line.replace(/\s+/g, ""), what: "It differs in spaces, tabs or indentation." },
  { same: (line) => straight(line).replace(/\s+/g, "").toLowerCase(), what: "It differs in upper and lower case, quotes or spaces." },
];

/** The line that shares most letter pairs with `wanted`; -1 when none shares a third of them. */
function mostAlike(lines: readonly string[], wanted: string): number {
  const pairs = pairsOf(wanted);
  let best = { index: -1, score: 1 / 3 };
  for (const [index, line] of lines.entries()) {
    const others = pairsOf(line.slice(0, 500));
    if (others.size === 0) continue;
    let shared = 0;
    for (const pair of others) if (pairs.has(pair)) shared++;
    const score = (2 * shared) / (pairs.size + others.size);
    if (score > best.score) best = { index, score };
  }
  return best.index;
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().toLowerCase();
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index++) pairs.add(text.slice(index, index + 2));
  return pairs;
}
