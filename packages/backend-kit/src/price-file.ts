import { MassgenError } from "@massgen/contracts";
import type { ModelPrice, PriceTable } from "./prices.js";

/**
 * A file of prices, as `massgen --update-prices` keeps it: `as_of`, `source`, and `models` with the keys that public price
 * lists use, in US dollars per token (docs/spec/backends.md 24.3).
 */
export interface PriceFile {
  readonly as_of: string;
  readonly source: string;
  readonly models: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const KEYS = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cachedInput: "cache_read_input_token_cost",
  cacheWrite: "cache_creation_input_token_cost",
} as const;

const PER_MILLION = 1_000_000;

/** @throws MassgenError `CONFIG_INVALID` naming the file: a wrong price is worse than none */
export function readPriceFile(text: string, file: string): PriceTable {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, "it is no JSON", cause);
  }
  if (!isObject(root) || typeof root["as_of"] !== "string" || typeof root["source"] !== "string" || !isObject(root["models"]))
    throw invalid(file, "it needs as_of, source and models");
  const models = Object.entries(root["models"]).map(([name, value]) => {
    const price = priceIn(value);
    if (price === null)
      throw invalid(file, `the price of ${JSON.stringify(name)} needs ${KEYS.input} and ${KEYS.output}, numbers of 0 or more`);
    return [name.toLowerCase(), price] as const;
  });
  return { asOf: root["as_of"], source: root["source"], models: Object.fromEntries(models) };
}

/**
 * What a public price list says of models that chat, as a file to keep; everything else in it is left out. `null`: it holds
 * no price at all.
 */
export function toPriceFile(list: unknown, { asOf, source }: Pick<PriceTable, "asOf" | "source">): PriceFile | null {
  if (!isObject(list)) return null;
  const models = Object.entries(list).flatMap(([name, value]) => {
    if (!isObject(value) || !["chat", "responses", undefined].includes(value["mode"] as string | undefined)) return [];
    const price = priceIn(value);
    return price === null || name === "sample_spec" ? [] : [[name.toLowerCase(), rowOf(price)] as const];
  });
  return models.length === 0 ? null : { as_of: asOf, source, models: Object.fromEntries(models.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Prices of a file before those that ship with the program. */
export const withPrices = (file: PriceTable, builtIn: PriceTable): PriceTable => ({
  ...file,
  models: { ...builtIn.models, ...file.models },
});

function priceIn(value: unknown): ModelPrice | null {
  if (!isObject(value)) return null;
  const [input, output, cachedInput, cacheWrite] = [KEYS.input, KEYS.output, KEYS.cachedInput, KEYS.cacheWrite].map((key) => value[key]);
  if (!isPrice(input) || !isPrice(output)) return null;
  return {
    input: perMillion(input),
    output: perMillion(output),
    ...(isPrice(cachedInput) ? { cachedInput: perMillion(cachedInput) } : {}),
    ...(isPrice(cacheWrite) ? { cacheWrite: perMillion(cacheWrite) } : {}),
  };
}

/** Prices are written with a few digits; what floating point adds to them is no part of them. */
const perMillion = (perToken: number): number => Number((perToken * PER_MILLION).toPrecision(12));

const rowOf = (price: ModelPrice): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((key) => {
      const value = price[key];
      return value === undefined ? [] : [[KEYS[key], Number((value / PER_MILLION).toPrecision(12))]];
    }),
  );

const isPrice = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const invalid = (file: string, what: string, cause?: unknown): MassgenError =>
  new MassgenError("CONFIG_INVALID", `The price file ${file} cannot be used: ${what}.`, {
    exitCode: 1,
    hint: "Fetch it anew with massgen --update-prices, or delete it to use the built-in prices.",
    ...(cause === undefined ? {} : { cause }),
  });
