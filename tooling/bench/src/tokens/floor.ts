import { countTokens } from "@massgen/simulator";
import type { WireCall } from "../fake-vendor/virtual-vendor.js";
import { beginningOf } from "./standard-run.js";

const ANSWER_TEXT = /<answer from="agent\d+">\n([\s\S]*?)\n<\/answer>/g;

/**
 * What the protocol must show in this request and no more: tools and system message, the task, and the texts of the answers
 * that are shown, without a word around them.
 */
export function leastInputTokens(call: WireCall, taskTokens: number): number {
  const answers = [...call.prompt.matchAll(ANSWER_TEXT)].map((match) => countTokens(match[1]!));
  return countTokens(beginningOf(call.prompt)) + taskTokens + answers.reduce((sum, tokens) => sum + tokens, 0);
}
