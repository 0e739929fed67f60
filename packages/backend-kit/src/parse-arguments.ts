import type { JsonValue } from "@massgen/contracts";

export interface ParsedArguments {
  /** `{}` when the text could not be read. */
  readonly input: JsonValue;
  /** Why it could not; for the model, so that it can do better. */
  readonly inputError?: string;
}

const QUOTED_LENGTH = 300;

/**
 * Reads the arguments of a call that is complete. Nothing at all, and `null`, mean a call without arguments. An object that
 * was encoded twice is read; anything else that is no object is an error for the model: arguments are never repaired.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text === "" || text === "null") return { input: {} };
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
    if (typeof value === "string" && value.trimStart().startsWith("{")) value = JSON.parse(value) as JsonValue;
  } catch (error) {
    return {
      input: {},
      inputError: `The arguments are no valid JSON (${error instanceof Error ? error.message : String(error)}): ${quote(text)}`,
    };
  }
  if (isJsonObject(value)) return { input: value };
  return { input: {}, inputError: `The arguments must be a JSON object, and they were: ${quote(text)}` };
}

/** Whether the text of a call that the token limit may have cut is whole: a JSON object that parses. */
export function isWhole(text: string): boolean {
  return text !== "" && parseArguments(text).inputError === undefined;
}

function isJsonObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH)];
  return characters.length > QUOTED_LENGTH || text.length > 2 * QUOTED_LENGTH ? `${characters.slice(0, QUOTED_LENGTH).join("")}…` : text;
}
