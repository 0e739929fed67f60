import type { JsonValue } from "@massgen/contracts";
import type { Violation } from "./wire.js";

/**
 * Strings no vendor can store, anywhere in a body. JSON can carry them only as `\u` escapes, so a body whose text has
 * none of these need not be walked.
 */
export function lintStrings(value: JsonValue, where: string): readonly Violation[] {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) return [{ rule: "half of a surrogate pair", where }];
    return value.includes("\0") ? [{ rule: "NUL character", where }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => lintStrings(child, `${where}.${key}`));
}
