import { redact } from "./redact.js";

/** How much of a vendor's message people are shown. */
const LONGEST_EXCERPT = 300;

/** A vendor's text on one line, without secrets and control characters, at most 300 characters long. */
export function excerpt(text: string, secrets: readonly string[]): string {
  // Redacted before it is cut: half a key is a secret too.
  const line = redact(text, secrets)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 2 * LONGEST_EXCERPT + 2)];
  return characters.length <= LONGEST_EXCERPT ? line : `${characters.slice(0, LONGEST_EXCERPT).join("")}…`;
}
