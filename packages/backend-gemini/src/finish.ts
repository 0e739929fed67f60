/** What a finish reason means for the turn. */
export type FinishKind =
  /** The answer is whole. */
  | "stop"
  /** The token limit cut it. */
  | "length"
  /** The model or a filter declined. */
  | "refusal"
  /** The model tried to call something and failed at it; a nudge may help. */
  | "malformed"
  /** The vendor gave up. */
  | "failed"
  /** The answer goes on in another response. */
  | "continuation";

/** Every finish reason the API documents; one that is not here ends the turn normally (docs/spec/backends.md 20). */
const KINDS: Readonly<Record<string, FinishKind>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "refusal",
  RECITATION: "refusal",
  LANGUAGE: "refusal",
  BLOCKLIST: "refusal",
  PROHIBITED_CONTENT: "refusal",
  SPII: "refusal",
  IMAGE_SAFETY: "refusal",
  IMAGE_PROHIBITED_CONTENT: "refusal",
  IMAGE_RECITATION: "refusal",
  IMAGE_OTHER: "refusal",
  NO_IMAGE: "refusal",
  MALFORMED_FUNCTION_CALL: "malformed",
  MALFORMED_RESPONSE: "malformed",
  UNEXPECTED_TOOL_CALL: "malformed",
  TOO_MANY_TOOL_CALLS: "malformed",
  OTHER: "failed",
  FINISH_REASON_UNSPECIFIED: "failed",
  CONTINUATION: "continuation",
};

export function finishKind(reason: string): FinishKind {
  return KINDS[reason] ?? "stop";
}

/** What the model is told before it tries again. `said` is the vendor's own description of what went wrong. */
export function nudgeFor(reason: string, said: string): string {
  if (reason === "TOO_MANY_TOOL_CALLS") return "Your last response made too many tool calls at once and was not taken. Call fewer tools.";
  const quote = said === "" ? "" : ` (${said})`;
  return `Your last response could not be read${quote} and was not taken. If you want to call a tool, call one of the tools offered to you, with arguments that are a valid JSON object.`;
}
