const SPACE = 0x20;
const LONGEST_WORD_PIECE = 6;

/**
 * Where the token that begins at `from` ends.
 *
 * One fixed, simple rule for everything the simulator counts or cuts: up to six letters or digits, one sign, one
 * ideograph, or a run of white space; a single space belongs to what follows it. English prose comes out at about 1.3
 * tokens a word. Surrogate pairs stay whole. Hand-written because every request is counted on the way in.
 */
function tokenEnd(text: string, from: number): number {
  let at = from;
  if (text.charCodeAt(at) === SPACE && at + 1 < text.length && !isSpace(text.charCodeAt(at + 1))) at++;
  const code = text.charCodeAt(at);
  if (isSpace(code)) {
    do at++;
    while (at < text.length && isSpace(text.charCodeAt(at)));
    return at;
  }
  if (!isWord(code)) return at + (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1);
  const limit = Math.min(text.length, at + LONGEST_WORD_PIECE);
  do at++;
  while (at < limit && isWord(text.charCodeAt(at)));
  return at;
}

export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) count++;
  return count;
}

/** The tokens of a text; joined, they are the text again. */
export function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

const isSpace = (code: number): boolean => code === SPACE || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
/** ASCII letters and digits, and all alphabets below the general punctuation; ideographs count one by one. */
const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || (code >= 0xc0 && code < 0x2000);
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;
