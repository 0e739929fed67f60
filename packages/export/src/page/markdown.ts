import { Lexer, type Token, type Tokens } from "marked";
import { type Html, html, joined, nothing } from "./html.js";

/** Longer texts are shown as they came: some Markdown takes a parser the square of its length. */
const MOST_CHARACTERS = 60_000;
/** Many quotations in one another take the parser the square of their number. */
const DEEP = /^(?:[ \t]*>){40}/m;
/** Deeper nesting is shown as it came. */
const MOST_LEVELS = 24;

/**
 * Markdown of a model as markup that can neither run nor load anything: HTML in it is text, pictures are links to them,
 * and links go to `http`, `https` and `mailto` only. What the parser cannot cope with is shown as it came.
 */
export function renderMarkdown(text: string): Html {
  if (text.trim() === "") return html`<p class="empty">(empty)</p>`;
  if (text.length > MOST_CHARACTERS || DEEP.test(text)) return asItCame(text);
  try {
    return blocks(new Lexer({ gfm: true }).lex(text), 0);
  } catch {
    // The parser recurses as deep as the text nests; a text that is made to break it is still a text.
    return asItCame(text);
  }
}

const asItCame = (text: string): Html => html`<pre class="text">${text}</pre>`;

const blocks = (tokens: readonly Token[] | undefined, level: number): Html =>
  level > MOST_LEVELS
    ? asItCame((tokens ?? []).map(({ raw }) => raw).join(""))
    : joined((tokens ?? []).map((token) => block(token, level)));

type Render = (token: Token, level: number) => Html;
/** The lexer names its tokens by type; each type has the fields its interface says. */
const of =
  <T extends Token>(render: (token: T, level: number) => Html): Render =>
  (token, level) =>
    render(token as T, level);

const BLOCK: Readonly<Record<string, Render>> = {
  space: () => nothing,
  def: () => nothing,
  hr: () => html`<hr>`,
  code: of<Tokens.Code>(
    ({ text, lang }) =>
      html`<pre tabindex="0">${lang ? html`<span class="lang">${lang.slice(0, 40)}</span>` : nothing}<code>${text}</code></pre>`,
  ),
  heading: of<Tokens.Heading>(({ depth, tokens }, level) => heading(depth, inline(tokens, level + 1))),
  paragraph: of<Tokens.Paragraph>(({ tokens }, level) => html`<p>${inline(tokens, level + 1)}</p>`),
  text: of<Tokens.Text>(({ tokens, text }, level) => (tokens === undefined ? html`${text}` : inline(tokens, level + 1))),
  blockquote: of<Tokens.Blockquote>(({ tokens }, level) => html`<blockquote>${blocks(tokens, level + 1)}</blockquote>`),
  list: of<Tokens.List>(list),
  table: of<Tokens.Table>(table),
};
const block: Render = (token, level) => (Object.hasOwn(BLOCK, token.type) ? BLOCK[token.type]!(token, level) : inline([token], level));

/** Below the headings of the page, so that its outline stays one. */
function heading(depth: number, content: Html): Html {
  if (depth <= 1) return html`<h4>${content}</h4>`;
  return depth === 2 ? html`<h5>${content}</h5>` : html`<h6>${content}</h6>`;
}

function list({ ordered, start, items }: Tokens.List, level: number): Html {
  const rows = items.map(
    ({ tokens, task, checked }) => html`<li>${task ? html`${checked ? "☑" : "☐"} ` : nothing}${blocks(withoutBox(tokens), level + 1)}</li>`,
  );
  if (!ordered) return html`<ul>${rows}</ul>`;
  return typeof start === "number" && start !== 1 ? html`<ol start="${start}">${rows}</ol>` : html`<ol>${rows}</ol>`;
}

/** The box of a task is drawn from the item. */
const withoutBox = (tokens: readonly Token[]): readonly Token[] => tokens.filter(({ type }) => type !== "checkbox");

function table({ header, rows, align }: Tokens.Table, level: number): Html {
  const cell = (tag: "th" | "td", { tokens }: Tokens.TableCell, place: number): Html => {
    const side = align[place];
    const style = side === "center" || side === "right" ? html` class="${side}"` : nothing;
    const content = inline(tokens, level + 1);
    return tag === "th" ? html`<th scope="col"${style}>${content}</th>` : html`<td${style}>${content}</td>`;
  };
  const head = header.map((one, place) => cell("th", one, place));
  const body = rows.map((row) => html`<tr>${row.map((one, place) => cell("td", one, place))}</tr>`);
  return html`<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const INLINE: Readonly<Record<string, Render>> = {
  escape: of<Tokens.Escape>(({ text }) => html`${text}`),
  text: of<Tokens.Text>(({ tokens, text }, level) => (tokens === undefined ? html`${entities(text)}` : inline(tokens, level + 1))),
  strong: of<Tokens.Strong>(({ tokens }, level) => html`<strong>${inline(tokens, level + 1)}</strong>`),
  em: of<Tokens.Em>(({ tokens }, level) => html`<em>${inline(tokens, level + 1)}</em>`),
  del: of<Tokens.Del>(({ tokens }, level) => html`<del>${inline(tokens, level + 1)}</del>`),
  codespan: of<Tokens.Codespan>(({ text }) => html`<code>${text}</code>`),
  br: () => html`<br>`,
  link: of<Tokens.Link>(({ href, tokens, raw }, level) => link(href, inline(tokens, level + 1), raw)),
  image: of<Tokens.Image>(({ href, text, raw }) => link(href, html`picture: ${text === "" ? href : text}`, raw)),
};

const inline = (tokens: readonly Token[] | undefined, level: number): Html =>
  level > MOST_LEVELS
    ? html`${(tokens ?? []).map(({ raw }) => raw).join("")}`
    : // A kind of token nobody knows, HTML among them, is its own text.
      joined((tokens ?? []).map((token) => (Object.hasOwn(INLINE, token.type) ? INLINE[token.type]!(token, level) : html`${token.raw}`)));

/** The few references people write by hand; all others stay as they were typed. */
const entities = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Only what begins with a scheme that shows a page or a letter; anything else is text. */
const SAFE = /^(?:https?:\/\/[^\s\\]+|mailto:[^\s\\]+)$/i;

const link = (href: string, content: Html, raw: string): Html =>
  SAFE.test(href) ? html`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${content}</a>` : html`${raw}`;
