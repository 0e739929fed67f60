import type { JsonValue } from "@massgen/contracts";

export type JsonObject = { readonly [key: string]: JsonValue };

/** An object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text in a field; anything else counts as none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
