import type { Message, Part, ToolSpec, Usage } from "@massgen/contracts";

/** Nothing spent. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0 };

/** The sum of several turns. One unknown cost makes the sum unknown; one estimate makes the sum an estimate. */
export function mergeUsage(...usages: readonly Usage[]): Usage {
  return usages.reduce((sum, usage) => {
    const estimated = sum.estimated === true || usage.estimated === true;
    return {
      inputTokens: sum.inputTokens + usage.inputTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      cachedTokens: sum.cachedTokens + usage.cachedTokens,
      reasoningTokens: sum.reasoningTokens + usage.reasoningTokens,
      costUsd: sum.costUsd === null || usage.costUsd === null ? null : sum.costUsd + usage.costUsd,
      ...(estimated ? { estimated } : {}),
    };
  }, noUsage);
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Tokens a text has, roughly: the mean of a quarter of its characters and of its words divided by 0.75; one for each
 * Chinese, Japanese or Korean character (docs/spec/backends.md 24.2).
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  const narrow = text.replace(WIDE, () => {
    wide++;
    return " ";
  });
  const words = narrow.match(/\S+/g)?.length ?? 0;
  return Math.ceil(wide + ((narrow.length - wide) / 4 + words / 0.75) / 2);
}

/** Tokens of a request, counted from its texts; media count nothing. */
export function estimateRequestTokens(messages: readonly Message[], tools: readonly ToolSpec[]): number {
  const texts = [tools.length === 0 ? "" : JSON.stringify(tools), ...messages.flatMap(textsOf)];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** Tokens of the parts of an answer. */
export function estimatePartTokens(parts: readonly Part[]): number {
  return parts.flatMap(textOfPart).reduce((sum, text) => sum + estimateTokens(text), 0);
}

function textsOf(message: Message): readonly string[] {
  switch (message.role) {
    case "system":
      return [message.text];
    case "tool":
      return message.results.flatMap(({ output }) => output.parts.flatMap(textOfPart));
    default:
      return message.parts.flatMap(textOfPart);
  }
}

function textOfPart(part: Part): readonly string[] {
  if (part.type === "tool_call") return [part.tool, JSON.stringify(part.input)];
  return part.type === "media" ? [] : [part.text];
}
