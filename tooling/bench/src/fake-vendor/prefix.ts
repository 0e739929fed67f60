/** Characters that two texts have in common from their beginning. */
export function commonPrefixLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** The longest beginning that `text` shares with any of `earlier`. */
export function longestPrefix(text: string, earlier: readonly string[]): number {
  return earlier.reduce((longest, other) => Math.max(longest, commonPrefixLength(text, other)), 0);
}
