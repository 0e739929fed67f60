import { Markdown, type MarkdownTheme, setCapabilities } from "@earendil-works/pi-tui";
import { visibleText } from "@massgen/views";
import { highlighted } from "../code/highlight.js";
import type { Style } from "../style.js";

/** A text of a model as rows: its markdown shown, nothing in it obeyed. Links are text, never sequences of the terminal. */
export function markdownLines(text: string, width: number, style: Style): readonly string[] {
  if (last?.text === text && last.width === width && last.style === style) return last.lines;
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const rendered = new Markdown(visibleText(text), 0, 0, themeOf(style)).render(Math.max(1, width));
  last = { text, width, style, lines: rendered.map((line) => line.trimEnd()) };
  return last.lines;
}

/** Frames come many times a second, and what is open stays the same. */
let last: { readonly text: string; readonly width: number; readonly style: Style; readonly lines: readonly string[] } | null = null;

const themeOf = (style: Style): MarkdownTheme => ({
  heading: (text) => style("title", text),
  link: (text) => style("accent", text),
  linkUrl: (text) => style("faint", text),
  code: (text) => style("accent", text),
  codeBlock: (text) => text,
  // A fence may say more than the language: `ts title="a.ts"`.
  highlightCode: (code, fence) => [...highlighted(code, fence?.trim().split(/[\s,{:]/)[0], style)],
  codeBlockBorder: (text) => style("faint", text),
  quote: (text) => style("faint", text),
  quoteBorder: (text) => style("faint", text),
  hr: (text) => style("faint", text),
  listBullet: (text) => style("accent", text),
  bold: (text) => style("strong", text),
  italic: (text) => text,
  strikethrough: (text) => text,
  underline: (text) => text,
});
