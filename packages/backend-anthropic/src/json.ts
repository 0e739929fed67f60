import type { JsonValue } from "@massgen/contracts";

export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Values that came out of `JSON.parse` are JSON values. */
export function asJsonObject(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
