import type { JsonValue, Part } from "@massgen/contracts";
import { isObject, type JsonObject } from "./json.js";
import { familyRules, isThinkingModel, modelFamily } from "./model-family.js";
import type { Quirks } from "./quirks.js";

/** The fields in which vendors of this API stream reasoning; `think` stands for tags inside the text. */
export type ReasoningField = "reasoning_content" | "reasoning" | "reasoning_details" | "think";

const ADAPTER = "chat-completions";

type ReasoningPart = Extract<Part, { readonly type: "reasoning" }>;

/** Where a reasoning came from, kept with it so that it goes back to the same place and nowhere else. */
interface Origin {
  readonly field: ReasoningField;
  readonly details: readonly JsonValue[];
}

/** The part that goes into the history, tagged with adapter, model family and field. */
export function reasoningPart(text: string, model: string, { field, details }: Origin): ReasoningPart {
  return {
    type: "reasoning",
    text,
    opaque: { adapter: ADAPTER, family: modelFamily(model), field, ...(details.length > 0 ? { details } : {}) },
  };
}

export interface ReplayRules {
  readonly model: string;
  readonly quirks: Quirks;
  /** Routers keep what they need of it themselves; it always goes back to them. */
  readonly isRouter: boolean;
  /** Some message of this conversation has reasoning of this family: the model thinks. */
  readonly thinks: boolean;
}

export function replayRules(model: string, quirks: Quirks, isRouter: boolean, parts: Iterable<Part>): ReplayRules {
  let thinks = isThinkingModel(model);
  for (const part of parts) thinks ||= part.type === "reasoning" && originOf(part, model) !== null;
  return { model, quirks, isRouter, thinks };
}

/** Fields of an assistant message that carry its reasoning back, and text to put before its content. */
export interface Replayed {
  readonly fields: JsonObject;
  readonly prefix: string;
}

const nothing: Replayed = { fields: {}, prefix: "" };

/**
 * What of its reasoning an assistant message takes along (docs/spec/backends.md 10.3): the field it came in, for messages
 * with tool calls, as long as the loop they belong to goes on, and longer for families that want it. A family that refuses messages
 * without reasoning gets a blank one where the message came from elsewhere.
 */
export function replayReasoning(
  parts: readonly Part[],
  { hasCalls, inLoop }: { readonly hasCalls: boolean; readonly inLoop: boolean },
  rules: ReplayRules,
): Replayed {
  if (rules.quirks.reasoning === "never") return nothing;
  const { keepsReasoning, demandsReasoning } = familyRules(rules.model);
  const demanded = hasCalls && (rules.quirks.reasoning === "always" || (demandsReasoning && rules.thinks && (keepsReasoning || inLoop)));
  const kept = hasCalls ? inLoop || keepsReasoning || rules.isRouter : rules.isRouter;
  const own = kept || demanded ? parts.flatMap((part) => ownReasoning(part, rules.model)) : [];
  const [first] = own;
  if (first === undefined) return demanded ? { fields: { reasoning_content: " " }, prefix: "" } : nothing;
  const text = own.map((part) => part.text).join("");
  switch (first.origin.field) {
    case "think":
      return hasCalls ? { fields: {}, prefix: `<think>${text}</think>` } : nothing;
    case "reasoning_details":
      return { fields: { reasoning_details: own.flatMap((part) => part.origin.details) }, prefix: "" };
    default:
      return { fields: { [first.origin.field]: text }, prefix: "" };
  }
}

function ownReasoning(part: Part, model: string): readonly { readonly text: string; readonly origin: Origin }[] {
  if (part.type !== "reasoning") return [];
  const origin = originOf(part, model);
  return origin === null ? [] : [{ text: part.text, origin }];
}

function originOf({ opaque }: ReasoningPart, model: string): Origin | null {
  if (!isObject(opaque) || opaque["adapter"] !== ADAPTER || opaque["family"] !== modelFamily(model)) return null;
  const details = opaque["details"];
  return { field: opaque["field"] as ReasoningField, details: Array.isArray(details) ? (details as readonly JsonValue[]) : [] };
}

/** Adds streamed details to those gathered: pieces of one entry have its index and type, and their texts follow each other. */
export function mergeDetails(gathered: Record<string, JsonValue>[], pieces: unknown): void {
  if (!Array.isArray(pieces)) return;
  for (const piece of pieces) {
    if (!isObject(piece)) continue;
    const last = gathered.at(-1);
    const same = last !== undefined && last["index"] === piece["index"] && last["type"] === piece["type"] ? last : undefined;
    if (same === undefined) {
      gathered.push({ ...(piece as Record<string, JsonValue>) });
      continue;
    }
    for (const [key, value] of Object.entries(piece as Record<string, JsonValue>)) {
      const before = same[key];
      if (GROWING.has(key) && typeof before === "string" && typeof value === "string") same[key] = before + value;
      else if (value !== null) same[key] = value;
    }
  }
}

const GROWING = new Set(["text", "summary", "data"]);

/** The readable text of streamed details; encrypted ones have none. */
export function textOfDetails(pieces: unknown): string {
  if (!Array.isArray(pieces)) return "";
  return pieces.map((piece) => (isObject(piece) ? textOr(piece["text"]) || textOr(piece["summary"]) : "")).join("");
}

function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}
