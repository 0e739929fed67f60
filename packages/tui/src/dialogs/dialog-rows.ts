import { markdownLines } from "../modals/markdown.js";
import type { Role, Style } from "../style.js";
import { cut, lineOf, linesOf } from "../text.js";
import type { ConsentDialog, Dialog, ReviewDialog } from "./dialog.js";

export interface DialogContent {
  readonly title: string;
  readonly lines: readonly string[];
  /** Rows from the top that are scrolled away, when there are more than fit. */
  readonly scroll: number;
  /** What the keys do; always in sight. */
  readonly keys: readonly string[];
}

export function dialogContent(dialog: Dialog, width: number, height: number, style: Style): DialogContent {
  if (dialog.kind === "consent") return consent(dialog, width, style);
  if (dialog.page === "list") return fileList(dialog, width, height, style);
  return dialog.page === "answer" ? answerText(dialog, width, style) : diffText(dialog, width, style);
}

const consent = ({ agent, prompt, scroll }: ConsentDialog, width: number, style: Style): DialogContent => ({
  title: `${agent ?? "The run"} asks`,
  lines: linesOf(prompt, width),
  scroll,
  keys: [`${style("strong", "o")} allow this once  ${style("strong", "r")} allow for this run  ${style("strong", "d")} refuse`],
});

function fileList({ files, at, marked }: ReviewDialog, width: number, height: number, style: Style): DialogContent {
  const lines = files.map(({ path, line }, index) => {
    const mark = `${index === at ? "▸" : " "} [${marked.has(path) ? "x" : " "}] `;
    return style(index === at ? "strong" : "plain", cut(mark + lineOf(line, width), width));
  });
  return {
    title: `Apply these changes? ${files.length} ${files.length === 1 ? "file" : "files"}, nothing is applied yet`,
    lines,
    scroll: Math.max(0, at - height + 1),
    keys: keysOf(marked, width, style, "Enter diff", "Space mark", "t answer"),
  };
}

function diffText({ files, at, marked, scroll }: ReviewDialog, width: number, style: Style): DialogContent {
  const file = files[at];
  const text = file?.diff ?? `${file?.line ?? ""}\n`;
  return {
    title: `${marked.size > 0 && file !== undefined && marked.has(file.path) ? "[x] " : ""}${file?.path ?? ""} (${at + 1} of ${files.length})`,
    lines: diffLines(text, width, style),
    scroll,
    keys: keysOf(marked, width, style, "Esc list", "Space mark", "← → file"),
  };
}

const answerText = ({ answer, marked, scroll }: ReviewDialog, width: number, style: Style): DialogContent => ({
  title: "The answer they belong to",
  lines: markdownLines(answer, width, style),
  scroll,
  keys: keysOf(marked, width, style, "Esc list"),
});

function keysOf(marked: ReadonlySet<string>, width: number, style: Style, ...more: readonly string[]): readonly string[] {
  const some = marked.size === 0 ? [] : [`y apply the ${marked.size} marked`];
  const decide = ["a apply all", ...some, "n none", "l later"].join("  ");
  return [style("strong", cut(decide, width)), style("faint", cut(more.join("  "), width))];
}

/** A unified diff as rows: what came and what went have a colour besides their sign, and so has each row of a long line. */
function diffLines(diff: string, width: number, style: Style): readonly string[] {
  let isHead = /^@@/m.test(diff);
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => {
      isHead = isHead && !line.startsWith("@@");
      const sign = line.slice(0, 1);
      const role = isHead ? "strong" : (ROLES.get(sign) ?? "plain");
      if (isHead || !SIGNS.has(sign)) return linesOf(line, width).map((row) => style(role, row));
      return linesOf(line.slice(1), width - 1).map((row) => style(role, `${sign}${row}`));
    });
}

const SIGNS: ReadonlySet<string> = new Set(["+", "-", " "]);
const ROLES: ReadonlyMap<string, Role> = new Map([
  ["+", "good"],
  ["-", "bad"],
  ["@", "accent"],
]);
