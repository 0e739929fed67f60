import { Lexer, type Token, type Tokens } from "marked";
import { Fragment, memo, type ReactNode } from "react";
import { CodeBlock } from "./code-block.js";
import { splitBlocks } from "./split-blocks.js";

/** Longer blocks are shown as they came: some Markdown takes a parser the square of its length. */
const MOST_CHARACTERS = 60_000;
/** Many quotations in one another take the parser the square of their number. */
const DEEP = /^(?:[ \t]*>){40}/m;
/** Deeper nesting is shown as it came. */
const MOST_LEVELS = 24;

/**
 * Markdown of a model as elements that can neither run nor load anything: HTML in it is text, pictures are links to them,
 * and links go to `http`, `https` and `mailto` only. Blocks that are finished are not read again while the text grows.
 */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      {splitBlocks(text).map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  if (text.length > MOST_CHARACTERS || DEEP.test(text)) return asItCame(text);
  try {
    return blocks(new Lexer({ gfm: true }).lex(text), 0);
  } catch {
    // The parser recurses as deep as the text nests; a text that is made to break it is still a text.
    return asItCame(text);
  }
});

const asItCame = (text: string): ReactNode => <pre className="text">{text}</pre>;

type Render = (token: Token, level: number) => ReactNode;
/** The lexer names its tokens by type; each type has the fields its interface says. */
const of =
  <T extends Token>(render: (token: T, level: number) => ReactNode): Render =>
  (token, level) =>
    render(token as T, level);

/** Neighbours never change places: the place is a good key. */
const listed = (nodes: readonly ReactNode[]): ReactNode => nodes.map((node, index) => <Fragment key={index}>{node}</Fragment>);

const blocks = (tokens: readonly Token[] | undefined, level: number): ReactNode =>
  level > MOST_LEVELS
    ? asItCame((tokens ?? []).map(({ raw }) => raw).join(""))
    : listed((tokens ?? []).map((token) => (Object.hasOwn(BLOCK, token.type) ? BLOCK[token.type]!(token, level) : inline([token], level))));

const inline = (tokens: readonly Token[] | undefined, level: number): ReactNode =>
  level > MOST_LEVELS
    ? (tokens ?? []).map(({ raw }) => raw).join("")
    : // A kind of token nobody knows, HTML among them, is its own text.
      listed((tokens ?? []).map((token) => (Object.hasOwn(INLINE, token.type) ? INLINE[token.type]!(token, level) : token.raw)));

const BLOCK: Readonly<Record<string, Render>> = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  code: of<Tokens.Code>(({ text, lang }) => <CodeBlock text={text} lang={lang} />),
  heading: of<Tokens.Heading>(({ depth, tokens }, level) => {
    // Below the headings of the page, so that its outline stays one.
    const Tag = depth <= 1 ? "h4" : depth === 2 ? "h5" : "h6";
    return <Tag>{inline(tokens, level + 1)}</Tag>;
  }),
  paragraph: of<Tokens.Paragraph>(({ tokens }, level) => <p>{inline(tokens, level + 1)}</p>),
  text: of<Tokens.Text>(({ tokens, text }, level) => (tokens === undefined ? text : inline(tokens, level + 1))),
  blockquote: of<Tokens.Blockquote>(({ tokens }, level) => <blockquote>{blocks(tokens, level + 1)}</blockquote>),
  list: of<Tokens.List>(list),
  table: of<Tokens.Table>(table),
};

function list({ ordered, start, items }: Tokens.List, level: number): ReactNode {
  const rows = items.map(({ tokens, task, checked }, index) => (
    <li key={index}>
      {task ? (checked ? "☑ " : "☐ ") : null}
      {blocks(
        tokens.filter(({ type }) => type !== "checkbox"),
        level + 1,
      )}
    </li>
  ));
  return ordered ? <ol {...(typeof start === "number" && start !== 1 ? { start } : {})}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows, align }: Tokens.Table, level: number): ReactNode {
  const side = (place: number): string | undefined => align[place] ?? undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, place) => (
              <th key={place} scope="col" className={side(place)}>
                {inline(tokens, level + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map(({ tokens }, place) => (
                <td key={place} className={side(place)}>
                  {inline(tokens, level + 1)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const INLINE: Readonly<Record<string, Render>> = {
  escape: of<Tokens.Escape>(({ text }) => text),
  text: of<Tokens.Text>(({ tokens, text }, level) => (tokens === undefined ? entities(text) : inline(tokens, level + 1))),
  strong: of<Tokens.Strong>(({ tokens }, level) => <strong>{inline(tokens, level + 1)}</strong>),
  em: of<Tokens.Em>(({ tokens }, level) => <em>{inline(tokens, level + 1)}</em>),
  del: of<Tokens.Del>(({ tokens }, level) => <del>{inline(tokens, level + 1)}</del>),
  codespan: of<Tokens.Codespan>(({ text }) => <code>{text}</code>),
  br: () => <br />,
  link: of<Tokens.Link>(({ href, tokens, raw }, level) => link(href, inline(tokens, level + 1), raw)),
  image: of<Tokens.Image>(({ href, text, raw }) => link(href, `picture: ${text === "" ? href : text}`, raw)),
};

/** The few references people write by hand; all others stay as they were typed. */
const entities = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Only what begins with a scheme that shows a page or a letter; anything else is text. */
const SAFE = /^(?:https?:\/\/[^\s\\]+|mailto:[^\s\\]+)$/i;

const link = (href: string, content: ReactNode, raw: string): ReactNode =>
  SAFE.test(href) ? (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {content}
    </a>
  ) : (
    raw
  );
