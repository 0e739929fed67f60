import type { TurnRequest } from "@massgen/contracts";
import type { Work } from "../executor/work.js";
import { estimateInputTokens } from "../text/estimate-tokens.js";
import type { RunContext } from "./run-context.js";
import type { LlmCall } from "./stream-turn.js";

/**
 * Puts a request on record before it is sent. Where there is a budget the kernel is asked, and puts it on record only if
 * there is room for it; else it goes out at once. `text`: what the agent said last in this conversation.
 */
export function admitRequest(
  work: Work,
  { policy }: Pick<RunContext, "policy">,
  request: TurnRequest,
  text: string,
): (fact: LlmCall) => Promise<boolean> | boolean {
  return (fact) => {
    if (policy.budget === null) {
      work.report({ type: "activity_reported", fact });
      return true;
    }
    const { maxOutputTokens } = request;
    return work
      .offer({ type: "request_offered", fact, inputTokens: estimateInputTokens(request), maxOutputTokens, text })
      .then((facts) => facts.some((given) => given.type === "llm_call" && given.callId === fact.callId));
  };
}
