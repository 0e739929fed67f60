/** The text of a file, or why it is none. */
export type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** UTF-8 with or without byte-order mark; everything else is named, not guessed at. */
export function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { ok: false, reason: "it is UTF-16; save it as UTF-8" };
  if (bytes.subarray(0, 4_096).includes(0)) return { ok: false, reason: "it is no text, or UTF-16; save it as UTF-8" };
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: "it is not UTF-8; save it as UTF-8" };
  }
}
