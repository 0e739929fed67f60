import { refuse } from "./refusal.js";

/** How the characters of a file are stored; kept when it is written back. */
export interface TextForm {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
  readonly hasBom: boolean;
}

export interface DecodedText {
  /** Line ends as they are in the file. */
  readonly text: string;
  readonly form: TextForm;
  /** True when bytes that are no text were shown as U+FFFD: readable, but never to be written back. */
  readonly isLossy: boolean;
}

export const plainForm: TextForm = { encoding: "utf-8", hasBom: false };

const SNIFFED_BYTES = 8 * 1024;

/** The text of a file, or `null` when its first 8 KiB are not text. Bad bytes further on make it lossy. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const form = formOf(bytes);
  const body = bytes.subarray(form.hasBom ? bomOf(form).length : 0);
  if (!looksLikeText(body.subarray(0, SNIFFED_BYTES), form, body.length > SNIFFED_BYTES)) return null;
  const exact = decode(body, form, true);
  if (exact !== null) return { text: exact, form, isLossy: false };
  return { text: decode(body, form, false) ?? "", form, isLossy: true };
}

/** The bytes of a text in that form. */
export function encodeText(text: string, form: TextForm): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) refuse("INVALID_ARGS", "The content has half of a surrogate pair, which no file can hold.");
  const body = form.encoding === "utf-8" ? Buffer.from(text, "utf8") : Buffer.from(text, "utf16le");
  if (form.encoding === "utf-16be") body.swap16();
  return form.hasBom ? Buffer.concat([bomOf(form), body]) : body;
}

function formOf(bytes: Uint8Array): TextForm {
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
    const bom = bomOf({ encoding, hasBom: true });
    if (bom.every((byte, index) => bytes[index] === byte)) return { encoding, hasBom: true };
  }
  return plainForm;
}

const BOMS = { "utf-8": [0xef, 0xbb, 0xbf], "utf-16le": [0xff, 0xfe], "utf-16be": [0xfe, 0xff] } as const;
const bomOf = ({ encoding }: TextForm): Buffer => Buffer.from(BOMS[encoding]);

function looksLikeText(start: Uint8Array, form: TextForm, isCut: boolean): boolean {
  if (form.encoding !== "utf-8") return start.length % 2 === 0;
  if (start.includes(0)) return false;
  // A cut may fall inside a character: those last bytes are not judged.
  return decode(isCut ? start.subarray(0, wholeCharacters(start)) : start, form, true) !== null;
}

function wholeCharacters(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  return end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : end;
}

function decode(bytes: Uint8Array, { encoding }: TextForm, fatal: boolean): string | null {
  try {
    const straight = encoding === "utf-16be" ? Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16() : bytes;
    return new TextDecoder(encoding === "utf-8" ? "utf-8" : "utf-16le", { fatal, ignoreBOM: true }).decode(straight);
  } catch {
    return null;
  }
}

/** The lines of a text, their ends taken off; the end of the last line starts no further one. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `\r\n` when every line of the text ends so, `\n` when none does, `null` when it is mixed or has no line end. */
export function lineEndOf(text: string): "\r\n" | "\n" | null {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  if (all === 0) return null;
  return crlf === all ? "\r\n" : crlf === 0 ? "\n" : null;
}
