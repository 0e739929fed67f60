import type { JsonValue } from "@massgen/contracts";

type Fields = { readonly [name: string]: JsonValue };

/** Arguments of a call, read field by field; what does not fit is thrown as a sentence for the model. */
export interface InputReader {
  text(name: string, limits?: { readonly min?: number; readonly max?: number }): string | undefined;
  number(
    name: string,
    limits: { readonly above?: number; readonly min?: number; readonly max: number; readonly unit: string },
  ): number | undefined;
  flag(name: string): boolean;
  texts(name: string): readonly string[] | undefined;
}

export function readInput(input: JsonValue, known: readonly string[]): InputReader {
  if (!isFields(input)) throw new Error("INVALID_ARGS: the arguments must be an object.");
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`INVALID_ARGS: there is no argument "${unknown}"; there are ${known.join(", ")}.`);
  const given = (name: string): JsonValue | undefined => (Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined);
  return {
    text(name, { min = 0, max = 32_000 } = {}) {
      const value = given(name);
      if (value === undefined) return undefined;
      if (typeof value !== "string" || value.includes("\0")) throw new Error(`INVALID_ARGS: ${name} must be a text without NUL.`);
      if (value.trim().length < min || value.length > max) throw new Error(`INVALID_ARGS: ${name} must have ${min} to ${max} characters.`);
      return value;
    },
    number(name, { above = -1, min = 0, max, unit }) {
      const value = given(name);
      if (value === undefined) return undefined;
      if (typeof value !== "number" || value <= above || value < min || value > max)
        throw new Error(
          `INVALID_ARGS: ${name} must be a number ${above >= 0 ? `above ${above}` : `from ${min}`} and at most ${max}${unit}.`,
        );
      return value;
    },
    flag(name) {
      const value = given(name);
      if (value !== undefined && typeof value !== "boolean") throw new Error(`INVALID_ARGS: ${name} must be true or false.`);
      return value ?? false;
    },
    texts(name) {
      const value = given(name);
      if (value === undefined) return undefined;
      if (!Array.isArray(value) || !value.every((entry): entry is string => typeof entry === "string"))
        throw new Error(`INVALID_ARGS: ${name} must be a list of texts.`);
      return value;
    },
  };
}

const isFields = (input: JsonValue): input is Fields => typeof input === "object" && input !== null && !Array.isArray(input);
