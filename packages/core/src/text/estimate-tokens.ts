import type { Message, Part, TurnRequest } from "@massgen/contracts";

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Input tokens of a request, roughly, before anybody has counted them: the mean of a quarter of the characters and of the
 * words divided by 0.75; one for each Chinese, Japanese or Korean character. Media count nothing.
 */
export const estimateInputTokens = ({ messages, tools }: Pick<TurnRequest, "messages" | "tools">): number =>
  [tools.length === 0 ? "" : JSON.stringify(tools), ...messages.flatMap(textsOf)].reduce((sum, text) => sum + tokensIn(text), 0);

function tokensIn(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  const words = text.replace(WIDE, " ").match(/\S+/g)?.length ?? 0;
  return Math.ceil(wide + ((text.length - wide) / 4 + words / 0.75) / 2);
}

function textsOf(message: Message): readonly string[] {
  if (message.role === "system") return [message.text];
  const parts = message.role === "tool" ? message.results.flatMap(({ output }) => output.parts) : message.parts;
  return parts.flatMap(textOfPart);
}

function textOfPart(part: Part): readonly string[] {
  if (part.type === "tool_call") return [part.tool, JSON.stringify(part.input)];
  return part.type === "media" ? [] : [part.text];
}
