import { splitTokens } from "../tokens.js";

/** Prose, a list, code, a table and wide characters: renderers and parsers treat each of them differently. */
const PASSAGES: readonly string[] = [
  "A cache holds what is expensive to fetch and cheap to keep. The question is never whether to have one but what may be stale, for whom, and for how long; everything else follows from that.\n\n",
  "The order of work:\n\n1. Measure the miss rate for each kind of key.\n2. Give each kind a lifetime of its own.\n3. Let one caller refill while the others wait.\n4. Alarm on the age of what is served, not on its absence.\n\n",
  "```ts\nasync function read(key: string): Promise<Value> {\n  const known = cache.get(key);\n  if (known !== undefined && !isExpired(known)) return known.value;\n  return refill(key, () => source.read(key)); // one flight per key\n}\n```\n\n",
  "Readers outnumber writers by two orders of magnitude here, so a write may be slow, and a read may not. That rules out asking the source on every read, and it rules out locks that a reader would have to wait for.\n\n",
  "| policy | hit rate | memory |\n|---|---|---|\n| LRU | 81 % | 1.0 |\n| LFU | 84 % | 1.1 |\n| ARC | 86 % | 1.3 |\n\n",
  "缓存失效只有两个难题之一。写入时更新，读取时校验，过期后重建。Größere Einträge zuerst — naïve façades, Ωμέγα, \u{1F9EE}\u{1F680}.\n\n",
];

/**
 * A text of exactly `tokens` tokens, the same for the same `seed`. Texts of different seeds begin with different words
 * and start at different passages.
 */
export function fillerText(tokens: number, seed: number): string {
  let text = `Text ${seed}. `;
  // No passage has fewer tokens than this, so the loop ends soon after there are enough.
  for (let passage = seed, left = tokens; left > 0; passage++, left -= SHORTEST_PASSAGE_TOKENS)
    text += PASSAGES[passage % PASSAGES.length]!;
  return splitTokens(text).slice(0, tokens).join("");
}

const SHORTEST_PASSAGE_TOKENS = 40;
