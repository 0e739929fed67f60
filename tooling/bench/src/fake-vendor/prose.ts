import { countTokens, splitTokens } from "@massgen/simulator";

/**
 * A text of exactly `tokens` tokens, the same for the same `salt` and different for another: prose, a list, a code fence,
 * a table and wide characters in fixed proportions, because renderers and parsers behave differently on each.
 */
export function writeProse(tokens: number, salt: string): string {
  if (tokens <= 0) return "";
  const lead = `${salt}: `;
  const pieces: string[] = [lead];
  let count = countTokens(lead);
  for (let place = 0; count < tokens + SLACK; place++) {
    const block = BLOCKS[place % BLOCKS.length]!;
    pieces.push(block);
    count += countTokens(block);
  }
  return fitTo(tokens, pieces.join(""));
}

/** Tokens where two pieces meet may merge; some to spare, and the cut is exact. */
const SLACK = 16;

/** Cutting may merge the last token with nothing and so change the count by one; words are added or dropped until it fits. */
function fitTo(tokens: number, text: string): string {
  let fitted = splitTokens(text).slice(0, tokens).join("").trimEnd();
  while (countTokens(fitted) < tokens) fitted += " so";
  return fitted;
}

const BLOCKS: readonly string[] = [
  "A cache that forgets the entry used least recently needs one list and one map, and each lookup moves one entry to the front. ",
  "Reads that scan a whole table once push out everything that was worth keeping, which is why scans are kept apart. ",
  "\n\n- Measure the hit rate before and after.\n- Bound the memory, not the number of entries.\n- Write down what may be stale, and for how long.\n\n",
  "```ts\nexport function touch(key: string): void {\n  const entry = map.get(key);\n  if (entry !== undefined) list.moveToFront(entry);\n}\n```\n\n",
  "| policy | hits | cost |\n|---|---|---|\n| LRU | 0.81 | 1 |\n| ARC | 0.86 | 3 |\n\n",
  "Einträge verfallen nach Größe und Alter; 最近使われていない項目から消す。 Nothing is lost that cannot be computed again. ",
];
