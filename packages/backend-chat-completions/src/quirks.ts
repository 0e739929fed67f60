import type { FailedReply } from "@massgen/backend-kit";
import { isObject, type JsonObject } from "./json.js";

/** What one server turned out to refuse, learnt from its own words and kept as long as the adapter lives. */
export interface Quirks {
  /** Body fields it does not take. */
  readonly refused: Set<string>;
  /** It wants `max_completion_tokens`. */
  newTokenLimit: boolean;
  /** `never`: it does not know the reasoning fields; `always`: it misses them. */
  reasoning: "by_family" | "never" | "always";
  /** The user has been told that a prompt may be cut. */
  hasWarnedOfContext: boolean;
  /** Counts what was learnt, so that a request built before can be told from one built after. */
  version: number;
}

export function openQuirks(): Quirks {
  return { refused: new Set(), newTokenLimit: false, reasoning: "by_family", hasWarnedOfContext: false, version: 0 };
}

/** Fields a turn can do without. The user's own ones among them only go when the server says that it does not know them. */
const OPTIONAL = ["stream_options", "parallel_tool_calls", "tool_choice", "usage"];
const SAMPLING = ["temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty"];
const REASONING_FIELDS = /reasoning_content|reasoning_details|\breasoning\b/i;
const UNKNOWN =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)|not (?:permitted|allowed)|only the default|deprecated|incompatible/i;

/**
 * Learns from a refusal. Gives what will be different in the next request, for people, or `null` when nothing helps.
 * `sent` is the body that was refused.
 */
export function learnFrom({ status, body }: FailedReply, sent: JsonObject, quirks: Quirks): string | null {
  if (status !== 400 && status !== 422) return null;
  if ("max_tokens" in sent && body.includes("max_completion_tokens")) {
    quirks.newTokenLimit = true;
    return learnt(quirks, "max_completion_tokens in place of max_tokens");
  }
  const field = [...OPTIONAL, ...(UNKNOWN.test(body) ? SAMPLING : [])].find((name) => name in sent && names(body, name));
  if (field !== undefined) {
    quirks.refused.add(field);
    return learnt(quirks, `no ${field}`);
  }
  if (!REASONING_FIELDS.test(body) || quirks.reasoning === "never" || "reasoning" in sent) return null;
  const hadReasoning = carriesReasoning(sent);
  if (!hadReasoning && (quirks.reasoning === "always" || !body.includes("reasoning_content"))) return null;
  quirks.reasoning = hadReasoning ? "never" : "always";
  return learnt(quirks, hadReasoning ? "no reasoning of earlier messages" : "reasoning in every message with tool calls");
}

function learnt(quirks: Quirks, change: string): string {
  quirks.version++;
  return change;
}

/** `tool_choice` is also called "Tool choice" in prose. */
function names(body: string, field: string): boolean {
  return new RegExp(`\\b${field.replaceAll("_", "[_ ]")}\\b`, "i").test(body);
}

function carriesReasoning(sent: JsonObject): boolean {
  const messages = sent["messages"];
  return (
    Array.isArray(messages) &&
    messages.some(
      (message) => isObject(message) && ("reasoning_content" in message || "reasoning" in message || "reasoning_details" in message),
    )
  );
}
