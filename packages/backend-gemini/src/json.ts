import type { JsonValue } from "@massgen/contracts";

export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
