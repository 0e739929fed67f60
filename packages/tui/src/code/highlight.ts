import type { Role, Style } from "../style.js";
import { LANGUAGES, type Language } from "./languages.js";

/** A program has more than this only where nobody reads it. */
const MAX_CHARS = 100_000;

/**
 * A piece of code, line by line, its comments, literals and words of the language in colours. Unknown languages stay as they
 * are; without colours the lines are exactly those of `code`. Takes time in proportion to the length, whatever the code is.
 */
export function highlighted(code: string, name: string | undefined, style: Style): readonly string[] {
  if (name === "diff" || name === "patch") return code.split("\n").map((line) => style(DIFF.get(line.slice(0, 1)) ?? "plain", line));
  const language = name === undefined ? undefined : LANGUAGES.get(name.toLowerCase());
  if (language === undefined || code.length > MAX_CHARS) return code.split("\n");
  return paint(code, language, style).split("\n");
}

/** The language of a file, by the end of its name; `undefined` where it says nothing. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const end = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  return end === "diff" || end === "patch" || LANGUAGES.has(end) ? end : undefined;
}

function paint(code: string, { tokens, words }: Language, style: Style): string {
  return code.replaceAll(tokens, (token, comment: string | undefined, literal: string | undefined) => {
    const role: Role = comment !== undefined ? "comment" : literal !== undefined ? "literal" : words.has(token) ? "keyword" : "plain";
    // A colour ends with its line: rows are cut and scrolled one by one.
    return role === "plain"
      ? token
      : token
          .split("\n")
          .map((line) => style(role, line))
          .join("\n");
  });
}

const DIFF: ReadonlyMap<string, Role> = new Map([
  ["+", "good"],
  ["-", "bad"],
  ["@", "accent"],
]);
