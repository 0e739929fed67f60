import type { FailedReply } from "@massgen/backend-kit";

/** What a model turned out to refuse, learnt from Google's own words and kept as long as the adapter lives. */
export interface Quirks {
  withoutThinking: boolean;
  withoutSystem: boolean;
  /** The user has been told that Google's own tools are left out. */
  hasToldOfTools: boolean;
}

/** What is different in the next request of this turn only. */
export interface Repairs {
  callsAsText: boolean;
  nudge: string;
}

/**
 * Learns from a refusal. Gives what will be different in the next request, for people, or `null` when nothing helps.
 * `hadThinking`: the refused request had a `thinkingConfig`.
 */
export function learnFrom({ status, body }: FailedReply, hadThinking: boolean, quirks: Quirks, repairs: Repairs): string | null {
  if (status !== 400) return null;
  if (/thought[_ ]?signature/i.test(body) && !repairs.callsAsText) {
    repairs.callsAsText = true;
    return "the calls of the history told as text";
  }
  if (/developer instruction|system instruction/i.test(body) && /not (?:enabled|supported)/i.test(body) && !quirks.withoutSystem) {
    quirks.withoutSystem = true;
    return "the system instruction in the first message";
  }
  if (/thinking/i.test(body) && hadThinking && !quirks.withoutThinking) {
    quirks.withoutThinking = true;
    return "no thinkingConfig";
  }
  return null;
}
