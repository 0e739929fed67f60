/** A piece of a page that is markup. Everything that is not one of these is text and gets escaped. */
export interface Html {
  readonly html: string;
}
type Piece = string | number | Html | readonly Html[] | null;

/**
 * Builds markup. Whatever is put in is text, unless it is itself built here: there is no other way from a string to a page.
 *
 * @example html`<p>${"<b>"}</p>` // => <p>&lt;b&gt;</p>
 */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { html: parts.reduce((all, part, place) => all + markup(pieces[place - 1] ?? null) + part) };
}

function markup(piece: Piece): string {
  if (piece === null) return "";
  if (typeof piece === "string" || typeof piece === "number") return escaped(String(piece));
  return "html" in piece ? piece.html : piece.map((one) => one.html).join("");
}

const ENTITY: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => visible(text).replaceAll(/[&<>"']/g, (sign) => ENTITY[sign]!);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Control characters, marks of writing direction and halves of characters are shown, so that no text looks like another. */
function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(UNSEEN, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

export const joined = (pieces: readonly Html[]): Html => ({ html: pieces.map((piece) => piece.html).join("") });
export const nothing: Html = { html: "" };
