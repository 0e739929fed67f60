import type { AssistantMessage, Message, ToolResult } from "@massgen/contracts";

/**
 * The messages of one round, always fit to be sent: nothing blank, every call answered by the next message, never two
 * user messages in a row. Only ever appended to, so that each request repeats the one before.
 */
export interface Conversation {
  /** A copy: what was handed out does not change. */
  messages(): readonly Message[];
  addUser(text: string): void;
  addAssistant(message: AssistantMessage): void;
  addResults(results: readonly ToolResult[]): void;
}

export function createConversation(opening: readonly Message[]): Conversation {
  const messages: Message[] = [...opening];
  return {
    messages: () => [...messages],
    addUser(text) {
      const last = messages.at(-1);
      if (last?.role !== "user") messages.push({ role: "user", parts: [{ type: "text", text }] });
      else messages[messages.length - 1] = { role: "user", parts: [...last.parts, { type: "text", text: `\n\n${text}` }] };
    },
    addAssistant(message) {
      if (message.parts.some((part) => part.type === "tool_call" || (part.type === "text" && part.text.trim() !== "")))
        messages.push(message);
    },
    addResults(results) {
      if (results.length > 0) messages.push({ role: "tool", results });
    },
  };
}
