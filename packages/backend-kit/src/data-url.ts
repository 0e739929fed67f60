/** `String.fromCharCode` takes its arguments from the stack, so bytes go through it in pieces. A multiple of 3: no padding in between. */
const PIECE_BYTES = 0x6000;

/** Base64 of any number of bytes, without `Buffer`. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  }
  return text;
}

/** `data:image/png;base64,…`; a URL stays the address it is. */
export function toDataUrl(mediaType: string, data: Uint8Array | URL): string {
  return data instanceof URL ? data.href : `data:${mediaType};base64,${toBase64(data)}`;
}
