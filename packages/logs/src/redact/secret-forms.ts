/** Stand-ins that local servers and examples use where a key is required; removing them would blank ordinary words. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "lm-studio",
  "not-needed",
  "no-key-required",
  "your-api-key",
  "your_api_key",
  "placeholder",
  "undefined",
  // A configuration that was shown before and came back.
  "[redacted]",
]);

/**
 * Long enough, and unlike a word: at least 8 characters with a digit or a sign in them, or at least 16. Anything less
 * could not be removed from texts without removing innocent words with it.
 */
export function isSecretEnough(secret: string): boolean {
  if (secret.length < 8 || PLACEHOLDERS.has(secret.toLowerCase())) return false;
  return secret.length >= 16 || /[^\p{Letter}\s_-]/u.test(secret);
}

/** How a secret may look in a text: as it is, inside JSON, inside JSON inside JSON and once more, in a URL, in base64. */
export function formsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\ufffd"));
  const base64 = Buffer.from(secret).toString("base64");
  return [
    ...nested(secret),
    ...nested(asciiEscaped(jsonInner(secret))),
    url,
    url.replaceAll("%20", "+"),
    url.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    // The last characters of base64 depend on what follows; the rest is the same wherever a header or body begins with it.
    base64.replace(/=+$/, "").slice(0, -1),
    Buffer.from(secret).toString("base64url").slice(0, -1),
  ].filter((form) => form.length >= 8);
}

/** The text itself, and inside one, two and three layers of JSON. */
function nested(text: string): readonly string[] {
  const forms = [text];
  for (let depth = 1; depth <= 3; depth++) forms.push(jsonInner(forms[depth - 1]!));
  return forms;
}

const jsonInner = (text: string): string => JSON.stringify(text).slice(1, -1);

const asciiEscaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
