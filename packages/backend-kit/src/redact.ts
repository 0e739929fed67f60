const PLACEHOLDER = "[REDACTED]";

/** Shorter texts are no keys, and replacing them would make every message unreadable. */
const SHORTEST_SECRET = 6;

/** Keys as vendors shape them, whole or with their middle masked by stars; bearer tokens; JSON web tokens. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|gsk|xai|csk|nvapi|pplx|hf|fw|tgp|r8)[-_][A-Za-z0-9_*-]{8,}/g,
  /\bAIza[A-Za-z0-9_*-]{10,}/g,
  /\bAQ\.[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  /(?<=\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/*=-]{8,}/gi,
  /(?<=[?&](?:api[-_]?key|key|token|access_token|sig|signature|secret|password)=)[^&\s"']+/gi,
];

/** `text` without any of `secrets`, and without anything shaped like a vendor's key. */
export function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  const unknown = known.reduce((rest, secret) => rest.replaceAll(secret, PLACEHOLDER), text);
  return KEY_SHAPES.reduce((rest, shape) => rest.replace(shape, PLACEHOLDER), unknown);
}
