/** Characters that move the cursor, hide, or turn the direction of writing: nothing a message may carry into a terminal. */
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** The text on one line, with a sign in the place of every character a terminal would obey instead of show. As long as the original. */
export function printable(text: string): string {
  return text.replace(unprintable, (found) => (found === "\n" ? "⏎" : found === "\t" ? " " : "�"));
}
