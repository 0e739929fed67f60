/** Words of a command as a shell parts them, without running or expanding anything; `null` for a quote that is not closed. */
export function splitCommand(command: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < command.length; at++) {
    const char = command[at]!;
    if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && (char === '"' || char === "'")) {
      quote = char;
      word ??= "";
    } else if (char === quote) quote = null;
    else if (char === "\\" && quote !== "'" && at + 1 < command.length) word = (word ?? "") + command[++at]!;
    else word = (word ?? "") + char;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
