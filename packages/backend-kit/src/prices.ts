/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input read from the vendor's cache. Default: a tenth of `input`. */
  readonly cachedInput?: number;
  /** Input written to the vendor's cache. Default: 1.25 × `input`. */
  readonly cacheWrite?: number;
}

export interface PriceTable {
  /** Day on which the prices were read, `2026-11-30`. */
  readonly asOf: string;
  /** Where they were read. */
  readonly source: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** Tokens to be paid for. Cached and written tokens are parts of the input, reasoning is part of the output. */
export interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens?: number;
}

/** Cost in US dollars. `null` when the price is unknown: an unknown price is never zero. */
export function costUsd(
  { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0 }: BilledTokens,
  price: ModelPrice | null,
): number | null {
  if (price === null) return null;
  const { input, output, cachedInput = input * 0.1, cacheWrite = input * 1.25 } = price;
  const plainTokens = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  return (plainTokens * input + cachedTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000;
}

/** What may follow a known name without making it another model: a date, a build number, `latest`, `preview`. */
const SAME_MODEL = /^[-@:](?:\d{4}-?\d{2}-?\d{2}|\d{2}-\d{2}|\d{3,4}|latest|preview(?:-\d{2}-\d{2,4})?)$/;

/**
 * What a table holds for a model, `null` when it does not know it.
 *
 * Looked up as written, as `openrouter/<name>`, without the vendor in front, with dots for dashes and the reverse between
 * digits, and without a date or `latest` at the end. `gpt-5-pro` is not `gpt-5`: a wrong price is worse than none.
 */
export function findModel<T>(model: string, table: Readonly<Record<string, T>>): T | null {
  const name = model.trim().toLowerCase();
  const base = name.slice(name.lastIndexOf("/") + 1);
  const spellings = [name, `openrouter/${name}`, base].flatMap((text) => [
    text,
    text.replace(/(?<=\d)\.(?=\d)/g, "-"),
    text.replace(/(?<=\d)-(?=\d\b)/g, "."),
  ]);
  const exact = spellings.find((spelling) => Object.hasOwn(table, spelling));
  if (exact !== undefined) return table[exact] ?? null;
  const known = Object.keys(table).sort((a, b) => b.length - a.length);
  const prefix = known.find((candidate) =>
    spellings.some((spelling) => spelling.startsWith(candidate) && SAME_MODEL.test(spelling.slice(candidate.length))),
  );
  return prefix === undefined ? null : (table[prefix] ?? null);
}

export function priceOf(model: string, table: PriceTable): ModelPrice | null {
  return findModel(model, table.models);
}
