import { HOSTILE } from "@massgen/browser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../src/page/markdown.js";

const rendered = (text: string): string => renderMarkdown(text).html;

const TAGS = new Set("p pre span code h4 h5 h6 blockquote ul ol li table thead tbody tr th td div hr br strong em del a".split(" "));
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  class: /^(?:text|lang|empty|wide|center|right)$/,
  start: /^\d+$/,
  scope: /^col$/,
  tabindex: /^0$/,
  rel: /^noopener noreferrer nofollow$/,
  target: /^_blank$/,
  href: /^(?:https?:\/\/|mailto:)[^\s"]*$/i,
};

/** Everything in the markup that is a tag, with its attributes; throws for what is neither a known tag nor text. */
function checkMarkup(markup: string): void {
  for (const [tag, name = "", attributes = ""] of markup.matchAll(/<\/?([^\s>]*)([^>]*)>/g)) {
    if (!TAGS.has(name)) throw new Error(`a tag of its own: ${tag}`);
    const known = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)];
    for (const [, key = "", value = ""] of known) if (!ATTRIBUTES[key]?.test(value)) throw new Error(`an attribute of its own: ${tag}`);
    if (known.map(([all]) => all).join("") !== attributes) throw new Error(`something else in ${tag}`);
  }
  const text = markup.replaceAll(/<\/?[a-z0-9]+(?: [a-z]+="[^"]*")*>/g, "");
  if (/[<>]/.test(text)) throw new Error(`a bare bracket: ${text}`);
}

describe("markdown of a model", () => {
  it.each(HOSTILE.map((text) => [text]))("gives no markup of its own: %j", (text) => {
    checkMarkup(rendered(text));
  });

  it("whatever is written, only our tags with our attributes come out", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(
        "**",
        "_",
        "`",
        "~~",
        "[",
        "](",
        ")",
        "!",
        "\n\n",
        "> ",
        "- ",
        "| ",
        "|---|",
        "```",
        "<",
        ">",
        "&",
        '"',
        "'",
        "http://a",
        "\\",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => checkMarkup(rendered(pieces.join("")))),
      { numRuns: 300 },
    );
  });

  it("renders what people use", async () => {
    const text = [
      "# Title *with* `code`",
      "Text with **strong**, _em_, ~~gone~~, a [link](https://example.org/a?b=1&c=2) and <b>no HTML</b>.",
      "1. one\n2. two\n   - nested\n   - [x] done",
      "> quoted\n> twice",
      "| left | right |\n|---|---:|\n| a | 1 |",
      "```ts\nconst a = 1 < 2 && 3 > 2;\n```",
      "![a picture](https://example.org/a.png)",
      "line  \nbreak &amp; &lt;tag&gt; 5 < 6",
    ].join("\n\n");
    await expect(rendered(text).replaceAll(/(<\/(?:p|ul|ol|li|pre|h\d|div|blockquote|tr)>)/g, "$1\n")).toMatchFileSnapshot(
      "golden/markdown.html.txt",
    );
  });

  it.each([
    ["brackets", "[".repeat(50_000)],
    ["quotes in quotes", `${"> ".repeat(20_000)}x`],
    ["lists in lists", Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
    ["stars", "*a_ ".repeat(12_000)],
    ["backticks", "`".repeat(50_000)],
    ["links in links", "[a](b ".repeat(8_000)],
    ["angle brackets", "<a ".repeat(15_000)],
    ["table", `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n`],
    ["a megabyte", "word ".repeat(200_000)],
  ])("stays quick and whole for %s", (_name, text) => {
    const before = performance.now();
    const markup = rendered(text);
    checkMarkup(markup);
    expect(performance.now() - before).toBeLessThan(4_000);
  });

  it("nothing is shown as nothing", () => {
    expect(rendered(" \n ")).toContain("(empty)");
  });
});
