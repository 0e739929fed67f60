import { z } from "zod";
import { type ConfigNode, type PlainValue, toValue } from "./tree.js";

/** What the value of a key must be: a check, and the words for it after "must be". */
export interface Shape<T> {
  readonly words: string;
  /** The allowed words, for did-you-mean. */
  readonly values?: readonly string[];
  /** Words that mean something in MassGen but are not served yet. */
  readonly later?: readonly string[];
  check(node: ConfigNode): { readonly success: true; readonly data: T } | { readonly success: false };
  /** What editors are told; absent: nothing about the value. */
  readonly schema?: z.ZodType;
}

function shape<S extends z.ZodType>(schema: S, words: string): Shape<z.infer<S>> {
  return { words, schema, check: (node) => (node.kind === "map" ? { success: false } : schema.safeParse(toValue(node))) };
}

export const bool: Shape<boolean> = shape(z.boolean(), "true or false");
export const text: Shape<string> = shape(z.string(), "text");
export const number: Shape<number> = shape(z.number(), "a number");
export const positive: Shape<number> = shape(z.number().positive(), "a number above 0");
export const share: Shape<number> = shape(z.number().min(0).max(1), "a number from 0 to 1");
export const thresholdOrNull: Shape<number | null> = shape(
  z.number().positive().max(1).nullable(),
  "a number above 0 and up to 1, or null",
);
export const factor: Shape<number> = shape(z.number().min(1), "a number of 1 or more");
export const wholeNumber: Shape<number> = shape(z.int(), "a whole number");
export const countOrZero: Shape<number> = shape(z.int().min(0), "a whole number of 0 or more");
export const count: Shape<number> = shape(z.int().min(1), "a whole number above 0");
export const countOrNull: Shape<number | null> = shape(z.int().min(1).nullable(), "a positive integer or null");
export const patience: Shape<number | null> = shape(z.number().min(0).nullable(), "a number of 0 or more, or null");
export const texts: Shape<string[]> = shape(z.array(z.string()), "a list of texts");
export const scalars: Shape<(string | number | boolean)[]> = shape(
  z.array(z.union([z.string(), z.number(), z.boolean()])),
  "a list of texts",
);
export const textOrTexts: Shape<string | string[]> = shape(z.union([z.string(), z.array(z.string())]), "text or a list of texts");
export const textOrBool: Shape<string | boolean> = shape(z.union([z.string(), z.boolean()]), "text, true or false");

/** Timers of every runtime we know hold at most 2^31 - 1 milliseconds. */
const MAX_SECONDS = 2_147_483;
/** As Docker writes it: a number of bytes, or of the unit behind it. */
export const memory: Shape<string> = shape(z.string().regex(/^\d+[bkmg]?$/i), "an amount of memory such as 2g");
export const seconds: Shape<number> = shape(z.number().positive().max(MAX_SECONDS), "a positive number of seconds (at most 24 days)");
export const secondsOrZero: Shape<number> = shape(z.number().min(0).max(MAX_SECONDS), "a number of seconds, 0 or more (at most 24 days)");
export const secondsOrNull: Shape<number | null> = shape(
  z.number().positive().max(MAX_SECONDS).nullable(),
  "a positive number of seconds (at most 24 days) or null",
);

const pass = (node: ConfigNode): { readonly success: true; readonly data: PlainValue } => ({ success: true, data: toValue(node) });

export const statuses: Shape<number[]> = shape(z.array(z.int().min(100).max(599)), "a list of HTTP status codes");

export const anything: Shape<PlainValue> = { words: "any value", check: pass };
const anyMap = z.record(z.string(), z.unknown());
const anyList = z.array(z.unknown());
export const map: Shape<PlainValue> = {
  words: "a map",
  schema: anyMap,
  check: (node) => (node.kind === "map" ? pass(node) : { success: false }),
};
export const list: Shape<PlainValue> = {
  words: "a list",
  schema: anyList,
  check: (node) => (node.kind === "list" ? pass(node) : { success: false }),
};
export const listOrMap: Shape<PlainValue> = {
  words: "a list or a map",
  schema: z.union([anyList, anyMap]),
  check: (node) => (node.kind === "scalar" ? { success: false } : pass(node)),
};

/** One of a few words. `later`: words that are known but not served yet. */
export function oneOf<const V extends string>(values: readonly V[], later: readonly string[] = []): Shape<V> {
  return { ...shape(z.enum(values), `one of ${values.join(", ")}`), values, later };
}

/** A list without repetitions, at least one entry, each of a few words. */
export function listOf<const V extends string>(values: readonly V[]): Shape<V[]> {
  const schema = z
    .array(z.enum(values))
    .min(1)
    .refine((found) => new Set(found).size === found.length)
    .meta({ uniqueItems: true });
  return { ...shape(schema, `a list of ${values.join(", ")}, each at most once`), values };
}

/** A list of a few words; it may be empty. */
export function anyOf<const V extends string>(values: readonly V[]): Shape<V[]> {
  return { ...shape(z.array(z.enum(values)), `a list of ${values.join(", ")}`), values };
}
