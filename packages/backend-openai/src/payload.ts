import type { JsonValue, Part } from "@massgen/contracts";
import { type Fields, isObject, type JsonObject } from "./json.js";
import { modelFamily } from "./model-family.js";

const ADAPTER = "openai-responses";

type ReasoningPart = Extract<Part, { readonly type: "reasoning" }>;

/**
 * What must go back as it came: a whole item of the output (reasoning with its encrypted content, a call the vendor ran),
 * or the phase of the message that follows it.
 */
export type Payload = { readonly is: "item"; readonly item: JsonObject } | { readonly is: "phase"; readonly phase: string };

/** A part that carries an item of the output, untouched. `text`: what people may read of it. */
export function itemPart(text: string, model: string, item: Fields): ReasoningPart {
  // It came out of JSON and goes back into it.
  return { type: "reasoning", text, opaque: { adapter: ADAPTER, family: modelFamily(model), item: item as JsonObject } };
}

/** Stands before the text of a message that the vendor calls commentary or the final answer. */
export function phasePart(model: string, phase: string): ReasoningPart {
  return { type: "reasoning", text: "", opaque: { adapter: ADAPTER, family: modelFamily(model), phase } };
}

/** What a part carries for this model; `null` when it is from another adapter or another family. */
export function payloadOf({ opaque }: ReasoningPart, model: string): Payload | null {
  if (!isObject(opaque) || opaque["adapter"] !== ADAPTER || opaque["family"] !== modelFamily(model)) return null;
  if (isObject(opaque["item"])) return { is: "item", item: opaque["item"] as JsonObject };
  return typeof opaque["phase"] === "string" ? { is: "phase", phase: opaque["phase"] } : null;
}

/** The encrypted thoughts in a list of input items. */
export function encryptedContents(input: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item) => (isObject(item) && typeof item["encrypted_content"] === "string" ? [item["encrypted_content"]] : []));
}
