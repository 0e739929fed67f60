import type { JsonValue, Part } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { modelFamily } from "./models.js";

/** Of this adapter; parts of others are not looked into. */
const ADAPTER = "messages";

type ReasoningPart = Extract<Part, { readonly type: "reasoning" }>;

/**
 * A block that only the vendor understands, as a part of the history: signed thoughts, calls the vendor ran itself and
 * their results. It goes back as it came, to the same model only.
 */
export function opaquePart(text: string, block: JsonObject, model: string): ReasoningPart {
  return { type: "reasoning", text, opaque: { adapter: ADAPTER, family: modelFamily(model), block: block as JsonValue } };
}

/** The block a part stands for; `null` when it came from elsewhere, or has no seal to come back with. */
export function blockOf({ opaque }: ReasoningPart, model: string): JsonObject | null {
  if (!isObject(opaque) || opaque["adapter"] !== ADAPTER || opaque["family"] !== modelFamily(model)) return null;
  return isObject(opaque["block"]) ? (opaque["block"] as JsonObject) : null;
}
