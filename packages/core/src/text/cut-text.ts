/** The first `chars` UTF-16 units of `text`, one less where that would split a character in two. */
export function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const end = Math.max(0, chars);
  return text.slice(0, end > 0 && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end)) ? end - 1 : end);
}

/** The last `chars` UTF-16 units of `text`, one less where that would split a character in two. */
export function tailOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const start = text.length - Math.max(0, chars);
  return text.slice(start < text.length && isLow(text.charCodeAt(start)) && isHigh(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** A line for logs and screens: at most `chars`, with an ellipsis when something was left out. */
export const previewOf = (text: string, chars = 200): string => (text.length <= chars ? text : `${headOf(text, chars - 1)}…`);

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
