import { badRequest } from "../errors.js";
import type { ChatMessage, MessageContent } from "./chat-request.js";

/** What a team is asked, from the messages of a client. */
export interface Conversation {
  readonly question: string;
  /** What was said before, oldest first. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** For every agent; `null` when the client gives none. */
  readonly instructions: string | null;
}

/**
 * The last message of the user is the question, what came before it the history. Calls and results after it belong to it: the
 * client ran tools that the team had asked for (docs/spec/cli.md 17.3).
 *
 * @throws ApiError 400 without a message of the user, for a part that is not text, and for a result of a call nobody made
 */
export function readConversation(messages: readonly ChatMessage[]): Conversation {
  const texts = messages.map((message, index) => textOf(message.content, `messages.${index}.content`));
  const at = messages.findLastIndex(({ role }) => role === "user");
  if (at === -1) throw badRequest("`messages` has no message of the user: there is no question.", "messages", "no_user_message");
  const question = texts[at] ?? "";
  if (question.trim() === "") throw badRequest("The last message of the user is empty.", `messages.${at}.content`, "empty_message");
  checkResults(messages);
  const instructions = messages.flatMap(({ role }, index) => (role === "system" || role === "developer" ? [texts[index] ?? ""] : []));
  const results = renderCalls(messages.slice(at + 1), texts.slice(at + 1));
  return {
    question: results === "" ? question : `${question}\n\n[You had tools run for this. Calls and results, oldest first:]\n${results}`,
    history: historyOf(messages.slice(0, at), texts),
    instructions: instructions.filter((text) => text.trim() !== "").join("\n\n") || null,
  };
}

function historyOf(messages: readonly ChatMessage[], texts: readonly string[]): Conversation["history"] {
  return messages.flatMap((message, index): Conversation["history"] => {
    const text = texts[index] ?? "";
    if (message.role === "user") return text.trim() === "" ? [] : [{ role: "user", text } as const];
    if (message.role !== "assistant" && message.role !== "tool") return [];
    const shown = renderCalls([message], [text]);
    return shown === "" ? [] : [{ role: "assistant", text: shown } as const];
  });
}

/** Assistant texts, calls and results as text, one after another. */
function renderCalls(messages: readonly ChatMessage[], texts: readonly string[]): string {
  return messages
    .flatMap((message, index) => {
      const text = texts[index] ?? "";
      if (message.role === "tool") return [`[result of ${message.tool_call_id ?? "a call"}]\n${text}`];
      if (message.role !== "assistant") return [];
      const calls = (message.tool_calls ?? []).map(
        ({ id, function: { name, arguments: args } }) =>
          `[call ${id ?? ""} of ${name}] ${typeof args === "string" ? args || "{}" : JSON.stringify(args ?? {})}`,
      );
      return [text, ...calls].filter((line) => line.trim() !== "");
    })
    .join("\n");
}

function checkResults(messages: readonly ChatMessage[]): void {
  const made = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") for (const { id } of message.tool_calls ?? []) if (id != null) made.add(id);
    if (message.role === "tool" && message.tool_call_id != null && !made.has(message.tool_call_id))
      throw badRequest(
        `There is no call ${JSON.stringify(message.tool_call_id)} before its result.`,
        `messages.${index}.tool_call_id`,
        "unknown_call",
      );
  }
}

/** @throws ApiError 400 naming a kind of part that agents cannot be given */
function textOf(content: MessageContent | null | undefined, param: string): string {
  if (content == null) return "";
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if ((part.type === "text" || part.type === "input_text" || part.type === "output_text") && typeof part["text"] === "string")
        return part["text"];
      if (part.type === "refusal" && typeof part["refusal"] === "string") return part["refusal"];
      throw badRequest(`Parts of the type \`${part.type}\` are not supported: send text.`, param, "unsupported_content");
    })
    .join("");
}
