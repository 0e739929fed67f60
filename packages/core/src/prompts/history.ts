import { escapeBlocks } from "./escape-blocks.js";

export interface HistoryMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Purpose: what was said before this question, as context and not as a task. Left out when there is nothing. */
export function history(messages: readonly HistoryMessage[]): string | null {
  if (messages.length === 0) return null;
  const blocks = messages.map(({ role, text }) => `<earlier_message from="${role}">\n${escapeBlocks(text)}\n</earlier_message>`);
  return `The conversation so far, as context for the original message:\n\n<earlier_conversation>\n${blocks.join("\n")}\n</earlier_conversation>`;
}
