const LONGEST_WORD_PIECE = 6;
const SPACE = 0x20;

const SIGN = 0;
const WORD = 1;
const BLANK = 2;
const HIGH_SURROGATE = 3;

/**
 * Where the token that begins at `from` ends.
 *
 * One fixed, simple rule for everything the simulator counts or cuts: up to six letters or digits, one sign, one
 * ideograph, or a run of white space; a single space belongs to what follows it. English prose comes out at about 1.3
 * tokens a word. Surrogate pairs stay whole. Hand-written because every request is counted on the way in.
 */
function tokenEnd(text: string, from: number): number {
  const { length } = text;
  let at = from;
  let kind = kindAt(text, at);
  if (kind === BLANK) {
    const isSpace = text.charCodeAt(at) === SPACE;
    at++;
    if (at === length) return at;
    kind = kindAt(text, at);
    if (kind === BLANK || !isSpace) {
      while (at < length && kindAt(text, at) === BLANK) at++;
      return at;
    }
  }
  if (kind === SIGN) return at + 1;
  if (kind === HIGH_SURROGATE) return at + (isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1);
  const limit = Math.min(length, at + LONGEST_WORD_PIECE);
  do at++;
  while (at < limit && kindAt(text, at) === WORD);
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

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < ASCII.length ? ASCII[code]! : kindBeyondAscii(code);
}

const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z0-9]/i.test(character) ? WORD : /\s/.test(character) ? BLANK : SIGN;
});

/** Every alphabet stands below the general punctuation; ideographs count one by one. */
function kindBeyondAscii(code: number): number {
  if (code === 0xa0 || code === 0x3000) return BLANK;
  if (code >= 0xc0 && code < 0x2000) return WORD;
  return code >= 0xd800 && code < 0xdc00 ? HIGH_SURROGATE : SIGN;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;
