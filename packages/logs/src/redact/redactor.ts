import { HINT, KEY_PLACES, KEY_SHAPES } from "./known-keys.js";
import { formsOf, isSecretEnough } from "./secret-forms.js";

export const REDACTED = "[REDACTED]";

/** Takes secrets out of texts. Knows the shapes of vendors' keys and the secrets it was given, however they are escaped. */
export interface Redactor {
  text(text: string): string;
  /** A part of a longer text: like `text`, but its end is not looked at for a secret that was cut. */
  piece(text: string): string;
  /** The same value with every string in it, keys of objects included, redacted. */
  value<T>(value: T): T;
  /** Forms of the given secrets, longest first: what a reader of pieces must not cut in two. */
  readonly forms: readonly string[];
}

/** Secrets that are too short or too ordinary to tell from words are ignored: `EMPTY` is a common stand-in for a key. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.filter(isSecretEnough).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const known = forms.length === 0 ? null : new RegExp(forms.map(escapeRegExp).join("|"), "g");
  const shapes = new RegExp(KEY_SHAPES.map((shape) => shape.pattern.source).join("|"), "g");
  const places = KEY_PLACES.map((place) => new RegExp(place.source, `${place.flags}g`));

  function text(given: string): string {
    return known === null ? piece(given) : withoutCutSecret(piece(given));
  }

  function piece(given: string): string {
    if (given.length < MIN_LENGTH) return given;
    const withoutKnown = known === null ? given : given.replace(known, REDACTED);
    if (!HINT.test(withoutKnown)) return withoutKnown;
    const withoutShapes = withoutKnown.replace(shapes, REDACTED);
    return places.reduce((rest, place) => rest.replace(place, (_, before: string) => `${before}${REDACTED}`), withoutShapes);
  }

  /** Previews are cut by length; a secret that was cut with them is found by its beginning. */
  function withoutCutSecret(given: string): string {
    const end = given.length - (CUT.exec(given)?.[0].length ?? 0);
    for (let at = Math.max(0, end - (forms[0]?.length ?? 0)); at <= end - MIN_LENGTH; at++) {
      const tail = given.slice(at, end);
      if (forms.some((form) => form.startsWith(tail))) return `${given.slice(0, at)}${REDACTED}${given.slice(end)}`;
    }
    return given;
  }

  // A cast per kind: the result has the shape of what came in, with other strings in it.
  function value<T>(given: T): T {
    if (typeof given === "string") return text(given) as T;
    if (Array.isArray(given)) return given.map(value) as T;
    if (typeof given !== "object" || given === null) return given;
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(given)) define(copy, text(key), value(item));
    return copy as T;
  }

  return { text, piece, value, forms };
}

/** Whatever the key is called; an assignment to `__proto__` would be none. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

/** No secret and no shape is shorter. */
const MIN_LENGTH = 8;
/** How a text says that it was cut, with a closing quote or bracket after it. */
const CUT = /(?:…|\.\.\.)?["'\s)\]}\\]*$/;

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
