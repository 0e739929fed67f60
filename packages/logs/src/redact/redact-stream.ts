import { KEY_HEADERS, TOKEN_CHARACTERS } from "./known-keys.js";
import type { Redactor } from "./redactor.js";

/**
 * Redacts a text that comes in pieces. Whatever might be the beginning of a secret is held back until it is clear that it
 * is none, so a secret that is cut by a piece boundary is found all the same.
 */
export interface RedactingStream {
  /** The part of everything so far that is safe to write now. */
  push(piece: string): string;
  /** What was held back. After it a new text begins. */
  end(): string;
}

/** Beyond this a run of characters is no key, and holding it back would only cost memory. */
const MAX_HELD = 4096;
const TOKEN_CHARACTER = new RegExp(`[${TOKEN_CHARACTERS}]`);
/** Some secrets are told by the words before them, so these words are held back together with what follows. */
const WORDS_BEFORE = new RegExp(`\\b(?:authorization|bearer|basic|${KEY_HEADERS})\\b[^\\n]{0,40}?[${TOKEN_CHARACTERS}]*$`, "i");
const PRIVATE_KEY = "-----BEGIN ";
/** The end and one character more: until then the last word of the key is still held back as a word. */
const PRIVATE_KEY_END = new RegExp(`-----END [A-Z ]*KEY-----[^${TOKEN_CHARACTERS}]`);

export function createRedactingStream(redactor: Redactor): RedactingStream {
  const beginnings = new Set(redactor.forms.map((form) => form[0]!));
  let held = "";

  function release(upTo: number): string {
    const safe = held.slice(0, upTo);
    held = held.slice(upTo);
    return redactor.piece(safe);
  }

  /** Where the part begins that may still become a secret. */
  function unsafeFrom(): number {
    return Math.min(tokenBegun(held), wordsBegun(held), privateKeyBegun(held), secretBegun());
  }

  /** A given secret may hold any character, blanks and quotes included. */
  function secretBegun(): number {
    const longest = redactor.forms[0]?.length ?? 0;
    for (let at = Math.max(0, held.length - longest + 1); at < held.length; at++) {
      if (!beginnings.has(held[at]!)) continue;
      const tail = held.slice(at);
      if (redactor.forms.some((form) => form.startsWith(tail))) return at;
    }
    return held.length;
  }

  return {
    push(piece) {
      held += piece;
      const from = unsafeFrom();
      return release(held.length - from > MAX_HELD ? held.length - MAX_HELD : from);
    },
    end: () => release(held.length),
  };
}

/** The run of characters at the end that keys, tokens and URLs are made of. Read backwards: a long text costs no more than its last word. */
function tokenBegun(text: string): number {
  const last = Math.max(0, text.length - MAX_HELD - 1);
  let from = text.length;
  while (from > last && TOKEN_CHARACTER.test(text[from - 1]!)) from -= 1;
  return from;
}

function wordsBegun(text: string): number {
  const start = Math.max(0, text.length - MAX_HELD);
  const found = WORDS_BEFORE.exec(text.slice(start));
  return found === null ? text.length : start + found.index;
}

function privateKeyBegun(text: string): number {
  const begun = text.lastIndexOf(PRIVATE_KEY);
  return begun === -1 || PRIVATE_KEY_END.test(text.slice(begun)) ? text.length : begun;
}
