import { LANGUAGES } from "./languages.js";

/** What a part of code is, as far as colours tell it apart. */
export type CodeRole = "plain" | "comment" | "literal" | "keyword" | "added" | "removed" | "place";

export interface CodeSpan {
  readonly role: CodeRole;
  readonly text: string;
}

/** A program has more than this only where nobody reads it. */
const MAX_CHARS = 100_000;

/**
 * Code as comments, literals, words of the language and the rest; put together they are `code` again. Unknown languages are one
 * plain span. Takes time in proportion to the length, whatever the code is.
 */
export function codeSpans(code: string, name: string | undefined): readonly CodeSpan[] {
  if (code.length > MAX_CHARS) return [{ role: "plain", text: code }];
  if (name === "diff" || name === "patch") return diffSpans(code);
  const language = name === undefined ? undefined : LANGUAGES.get(name.toLowerCase());
  if (language === undefined) return [{ role: "plain", text: code }];
  const spans: CodeSpan[] = [];
  let plainFrom = 0;
  for (const { 0: text, 1: comment, 2: literal, index } of code.matchAll(language.tokens)) {
    const role = comment !== undefined ? "comment" : literal !== undefined ? "literal" : language.words.has(text) ? "keyword" : "plain";
    if (role === "plain") continue;
    if (index > plainFrom) spans.push({ role: "plain", text: code.slice(plainFrom, index) });
    spans.push({ role, text });
    plainFrom = index + text.length;
  }
  return plainFrom < code.length ? [...spans, { role: "plain", text: code.slice(plainFrom) }] : spans;
}

const DIFF: ReadonlyMap<string, CodeRole> = new Map([
  ["+", "added"],
  ["-", "removed"],
  ["@", "place"],
]);

const diffSpans = (code: string): readonly CodeSpan[] =>
  code.split(/(?<=\n)/).map((text) => ({ role: DIFF.get(text.slice(0, 1)) ?? "plain", text }));

/** The language of a file, by the end of its name; `undefined` where it says nothing. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const end = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  return end === "diff" || end === "patch" || LANGUAGES.has(end) ? end : undefined;
}
