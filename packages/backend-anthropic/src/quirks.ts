import type { FailedReply } from "@massgen/backend-kit";
import type { JsonValue } from "@massgen/contracts";
import { isObject, type JsonObject, textOf } from "./json.js";

/** What the vendor turned out to refuse, learnt from its own words and kept as long as the adapter lives. */
export interface Quirks {
  /** Body fields it does not take. */
  readonly refused: Set<string>;
  /** Signatures and data of thoughts it did not recognise as its own. */
  readonly refusedThoughts: Set<string>;
  /** Warnings the user has been given. */
  readonly said: Set<string>;
  /** Counts what was learnt, so that a request built before can be told from one built after. */
  version: number;
}

export function openQuirks(): Quirks {
  return { refused: new Set(), refusedThoughts: new Set(), said: new Set(), version: 0 };
}

/** Fields a turn can do without, in the order in which they are given up. */
const OPTIONAL = ["top_p", "top_k", "temperature", "tool_choice", "service_tier", "container"];
const UNKNOWN_FIELD = /["'`\s(:]([a-z_]{1,40})(?:\.[a-z_.]+)?["'`]?: extra inputs are not permitted/i;
const NOT_THEIR_THOUGHTS = /\b(?:signature|redacted_thinking|thinking)\b/i;
const THOUGHTS_ARE_MISSING = /expected [`'"]?(?:thinking|redacted_thinking)/i;

/**
 * Learns from a refusal. Gives what will be different in the next request, for people, or `null` when nothing helps.
 * `sent` is the body that was refused.
 */
export function learnFrom({ status, body }: FailedReply, sent: JsonObject, quirks: Quirks): string | null {
  if (status !== 400 && status !== 422) return null;
  const unknown = UNKNOWN_FIELD.exec(body)?.[1];
  const field =
    unknown !== undefined && unknown in sent && !NEEDED.has(unknown) ? unknown : OPTIONAL.find((name) => name in sent && names(body, name));
  if (field !== undefined) return learnt(quirks, `no ${field}`, () => quirks.refused.add(field));
  // A history without thoughts cannot go on thinking: the API wants them at the head of the step that called the tools.
  if (THOUGHTS_ARE_MISSING.test(body) && "thinking" in sent) return learnt(quirks, "no thinking", () => quirks.refused.add("thinking"));
  if (!NOT_THEIR_THOUGHTS.test(body)) return null;
  const seals = [...sealsIn(sent["messages"])].filter((seal) => !quirks.refusedThoughts.has(seal));
  if (seals.length === 0) return null;
  return learnt(quirks, "no thoughts of earlier responses", () => {
    for (const seal of seals) quirks.refusedThoughts.add(seal);
  });
}

const NEEDED = new Set(["model", "messages", "system", "tools", "max_tokens", "stream"]);

function learnt(quirks: Quirks, change: string, note: () => void): string {
  note();
  quirks.version++;
  return change;
}

/** `tool_choice` is also called "tool choice" in prose. */
function names(body: string, field: string): boolean {
  return new RegExp(`\\b${field.replaceAll("_", "[_ ]")}\\b`, "i").test(body);
}

/** What makes a thought the vendor's own; empty for a block that is none, and for one without a seal. */
export function sealOf(block: { readonly [key: string]: unknown }): string {
  if (block["type"] === "thinking") return textOf(block["signature"]);
  return block["type"] === "redacted_thinking" ? textOf(block["data"]) : "";
}

function* sealsIn(messages: JsonValue | undefined): Generator<string> {
  if (!Array.isArray(messages)) return;
  for (const message of messages) {
    const content = isObject(message) ? message["content"] : null;
    if (!Array.isArray(content)) continue;
    for (const block of content) {
      const seal = isObject(block) ? sealOf(block) : "";
      if (seal !== "") yield seal;
    }
  }
}
