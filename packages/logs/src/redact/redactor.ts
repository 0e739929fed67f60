import { KEY_PLACES, KEY_SHAPES } from "./known-keys.js";
import { formsOf, isSecretEnough } from "./secret-forms.js";

export const REDACTED = "[REDACTED]";

/** Takes secrets out of texts. Knows the shapes of vendors' keys and the secrets it was given, however they are escaped. */
export interface Redactor {
  text(text: string): string;
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
    if (given.length < MIN_LENGTH) return given;
    const withoutKnown = known === null ? given : given.replace(known, REDACTED);
    const withoutShapes = withoutKnown.replace(shapes, REDACTED);
    return places.reduce((rest, place) => rest.replace(place, (_, before: string) => `${before}${REDACTED}`), withoutShapes);
  }

  // A cast per kind: the result has the shape of what came in, with other strings in it.
  function value<T>(given: T): T {
    if (typeof given === "string") return text(given) as T;
    if (Array.isArray(given)) return given.map(value) as T;
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, item]) => [text(key), value(item)])) as T;
  }

  return { text, value, forms };
}

/** No secret and no shape is shorter. */
const MIN_LENGTH = 8;

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
