import type { JsonValue, Part } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";

const ADAPTER = "gemini";

/**
 * One part of a message as it came over the wire, without what the neutral message holds already. `text`, `media` and `call`
 * stand for the next text, the next medium, the call of that id; `part` is sent back as it is.
 */
export type LayoutEntry =
  | { readonly is: "text" | "media"; readonly thoughtSignature?: string }
  | { readonly is: "call"; readonly callId: string; readonly id?: string; readonly thoughtSignature?: string }
  | { readonly is: "part"; readonly part: JsonObject };

/** How the parts of a message stood, kept with its reasoning so that signatures go back on exactly the parts that had them. */
export type Layout = readonly LayoutEntry[];

type ReasoningPart = Extract<Part, { readonly type: "reasoning" }>;

/** The reasoning of a message. Without calls, signatures or parts of Google's own there is nothing to go back. */
export function reasoningPart(text: string, layout: Layout, family: string): ReasoningPart | null {
  const matters = layout.some((entry) => entry.is === "call" || entry.is === "part" || entry.thoughtSignature !== undefined);
  if (matters) return { type: "reasoning", text, opaque: { adapter: ADAPTER, family, layout: layout as unknown as JsonValue } };
  return text === "" ? null : { type: "reasoning", text };
}

/** The layout of a message this adapter made for the same family of models; `null` for any other message. */
export function layoutOf(parts: readonly Part[], family: string): Layout | null {
  for (const part of parts) {
    if (part.type !== "reasoning" || !isObject(part.opaque)) continue;
    const { adapter, family: origin, layout } = part.opaque as JsonObject;
    if (adapter === ADAPTER && origin === family && Array.isArray(layout)) return layout as unknown as Layout;
  }
  return null;
}
