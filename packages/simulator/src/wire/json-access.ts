import type { JsonValue } from "@massgen/contracts";
import type { JsonObject } from "./wire.js";

/** Reading of JSON that may have any shape: the wrong type counts as absent. */
export const asObject = (value: JsonValue | undefined): JsonObject | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
export const asArray = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
export const asText = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
