import type { AssistantMessage, Message, TurnRequest, Usage } from "@massgen/contracts";

/** Four characters a token, rounded up: crude, but the same for everybody. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** What a vendor that counts like `estimateTokens` would report. */
export function estimateUsage(request: TurnRequest, reply: AssistantMessage): Usage {
  const asked = request.messages.reduce((sum, message) => sum + countMessage(message), estimateTokens(JSON.stringify(request.tools)));
  const thought = reply.parts.reduce((sum, part) => sum + (part.type === "reasoning" ? estimateTokens(part.text) : 0), 0);
  return { inputTokens: asked, outputTokens: countMessage(reply), cachedTokens: 0, reasoningTokens: thought, costUsd: null };
}

function countMessage(message: Message): number {
  switch (message.role) {
    case "system":
      return estimateTokens(message.text);
    case "tool":
      return message.results.reduce((sum, { output }) => sum + countParts(output.parts), 0);
    case "user":
    case "assistant":
      return countParts(message.parts);
  }
}

function countParts(parts: Extract<Message, { role: "user" }>["parts"]): number {
  let tokens = 0;
  for (const part of parts) {
    if (part.type === "text" || part.type === "reasoning") tokens += estimateTokens(part.text);
    if (part.type === "tool_call") tokens += estimateTokens(part.tool) + estimateTokens(part.inputError ?? JSON.stringify(part.input));
  }
  return tokens;
}
