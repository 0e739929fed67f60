import { type CodeRole, codeSpans } from "@massgen/views";
import type { Role, Style } from "../style.js";

/**
 * A piece of code, line by line, its comments, literals and words of the language in colours. Unknown languages stay as they
 * are; without colours the lines are exactly those of `code`.
 */
export const highlighted = (code: string, name: string | undefined, style: Style): readonly string[] =>
  codeSpans(code, name)
    .map(({ role, text }) => paint(text, ROLES[role], style))
    .join("")
    .split("\n");

/** A colour ends with its line: rows are cut and scrolled one by one. */
const paint = (text: string, role: Role, style: Style): string =>
  role === "plain"
    ? text
    : text
        .split("\n")
        .map((line) => (line === "" ? "" : style(role, line)))
        .join("\n");

const ROLES: Readonly<Record<CodeRole, Role>> = {
  plain: "plain",
  comment: "comment",
  literal: "literal",
  keyword: "keyword",
  added: "good",
  removed: "bad",
  place: "accent",
};
