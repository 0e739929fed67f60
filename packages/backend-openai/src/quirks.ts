import type { FailedReply } from "@massgen/backend-kit";
import { isObject, type JsonObject } from "./json.js";
import { encryptedContents } from "./payload.js";

/** What one server turned out to refuse, learnt from its own words and kept as long as the adapter lives. */
export interface Quirks {
  /** Body fields it does not take; `reasoning.summary` is one. */
  readonly refused: Set<string>;
  /** Encrypted thoughts it could not read. */
  readonly refusedPayloads: Set<string>;
  /** It has refused thoughts more than once: none goes back any more. */
  returnsReasoning: boolean;
  /** What the user has been told already. */
  readonly said: Set<string>;
  /** Counts what was learnt, so that a request built before can be told from one built after. */
  version: number;
}

export function openQuirks(): Quirks {
  return { refused: new Set(), refusedPayloads: new Set(), returnsReasoning: true, said: new Set(), version: 0 };
}

/** Fields a turn can do without, whatever the server has against them. */
const OPTIONAL = ["parallel_tool_calls", "tool_choice", "instructions"];
/** The user's own: they go only when the server says that it does not know them, not when their value is wrong. */
const SAMPLING = ["temperature", "top_p", "top_logprobs", "presence_penalty", "frequency_penalty", "seed"];
const UNKNOWN =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)|not (?:permitted|allowed)|only the default|deprecated|incompatible/i;
/** The field by its name in quotes, or "Encrypted content is not supported with this model". */
const INCLUDE = /["'`]include\b|encrypted[ _]content is not supported/i;
/** An organisation must be verified to be given summaries. */
const SUMMARY = /reasoning\.summary|reasoning summar/i;
/** A model that does not think; an effort that it only does not have is the user's to mend. */
const EFFORT = /unsupported parameter[^.]{0,5}reasoning\.effort/i;
const REASONING = /encrypted[ _]content|reasoning/i;
const STORED_ITEM = /\brs_|not persisted/i;

/**
 * Learns from a refusal. Gives what will be different in the next request, for people, or `null` when nothing helps.
 * `sent` is the body that was refused.
 */
export function learnFrom({ status, body }: FailedReply, sent: JsonObject, quirks: Quirks): string | null {
  // Items of a response that was not stored are "not found".
  if (status === 404) return STORED_ITEM.test(body) ? dropPayloads(sent, quirks) : null;
  if (status !== 400 && status !== 422) return null;
  const field = [...OPTIONAL, ...(UNKNOWN.test(body) ? SAMPLING : [])].find((name) => name in sent && names(body, name));
  if (field !== undefined) return refuse(field, quirks);
  if ("include" in sent && INCLUDE.test(body)) return refuse("include", quirks);
  const reasoning = isObject(sent["reasoning"]) ? sent["reasoning"] : {};
  if ("summary" in reasoning && SUMMARY.test(body)) return refuse("reasoning.summary", quirks);
  if ("effort" in reasoning && EFFORT.test(body)) return refuse("reasoning.effort", quirks);
  return REASONING.test(body) ? dropPayloads(sent, quirks) : null;
}

function refuse(field: string, quirks: Quirks): string {
  quirks.refused.add(field);
  quirks.version++;
  return field === "instructions" ? "the system text as a message" : `no ${field}`;
}

/** Thoughts of an older key, account or model cannot be read any more; newer ones can. */
function dropPayloads(sent: JsonObject, quirks: Quirks): string | null {
  const payloads = encryptedContents(sent["input"]);
  if (payloads.length === 0 || !quirks.returnsReasoning) return null;
  quirks.returnsReasoning = quirks.refusedPayloads.size === 0;
  for (const payload of payloads) quirks.refusedPayloads.add(payload);
  quirks.version++;
  return "no reasoning of earlier messages";
}

/** `tool_choice` is also called "Tool choice" in prose. */
function names(body: string, field: string): boolean {
  return new RegExp(`\\b${field.replaceAll("_", "[_ ]")}\\b`, "i").test(body);
}
