import type { JsonObject } from "./json.js";
import type { RenderedHistory, WireMessage } from "./render-messages.js";

/** What of a request the vendor hashes for its prompt cache, in that order. */
export interface CachedFields {
  readonly tools: readonly JsonObject[];
  readonly system: readonly JsonObject[];
  readonly messages: readonly WireMessage[];
}

const MARK = { cache_control: { type: "ephemeral" } } as const;

/**
 * Marks up to where the vendor is to keep the prompt: behind the tools, behind the system text, behind what all agents are
 * shown, and behind the newest message of a conversation. Four marks, the most there may be. A mark changes nothing of what
 * is hashed, so that it may move on with the conversation (docs/spec/backends.md 11.6).
 */
export function markForCache(
  tools: readonly JsonObject[],
  { system, messages, sharedEnd }: RenderedHistory,
  newest: "mark" | "leave",
): CachedFields {
  const last = newest === "mark" ? newestBlock(messages) : null;
  // A tool that is only loaded when it is searched for is no part of the prompt.
  const lastTool = tools.findLast((tool) => tool["defer_loading"] !== true) ?? null;
  return {
    tools: tools.map((tool) => mark(tool, lastTool)),
    system: system.map((block) => mark(block, system.at(-1) ?? null)),
    messages: messages.map(({ role, content }) => ({ role, content: content.map((block) => mark(mark(block, sharedEnd), last)) })),
  };
}

function mark(block: JsonObject, marked: JsonObject | null): JsonObject {
  return block === marked ? { ...block, ...MARK } : block;
}

/** The last block of what the model was told since it first said something. */
function newestBlock(messages: readonly WireMessage[]): JsonObject | null {
  const index = messages.findLastIndex((message) => message.role === "user");
  return messages.slice(0, Math.max(0, index)).some((message) => message.role === "assistant")
    ? (messages[index]?.content.at(-1) ?? null)
    : null;
}
