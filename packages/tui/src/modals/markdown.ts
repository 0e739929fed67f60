import { Markdown, type MarkdownTheme, setCapabilities } from "@earendil-works/pi-tui";
import { visibleText } from "@massgen/views";
import type { Style } from "../style.js";

/** A text of a model as rows: its markdown shown, nothing in it obeyed. Links are text, never sequences of the terminal. */
export function markdownLines(text: string, width: number, style: Style): readonly string[] {
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  return new Markdown(visibleText(text), 0, 0, themeOf(style)).render(Math.max(1, width)).map((line) => line.trimEnd());
}

const themeOf = (style: Style): MarkdownTheme => ({
  heading: (text) => style("title", text),
  link: (text) => style("accent", text),
  linkUrl: (text) => style("faint", text),
  code: (text) => style("accent", text),
  codeBlock: (text) => text,
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
