import type { Completion, Usage } from "./outcome.js";

/** What all objects of one reply have in common. */
export interface ReplyHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** A whole reply of `POST /v1/chat/completions`. */
export function chatCompletion(head: ReplyHead, completion: Completion, trace: readonly string[]): object {
  const { text, calls, finishReason, usage, metadata } = completion;
  return {
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          ...(trace.length === 0 ? {} : { reasoning_content: trace.join("\n") }),
          ...(calls.length === 0 ? {} : { tool_calls: toolCalls(completion) }),
        },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage,
    massgen_metadata: metadata,
  };
}

export function toolCalls({ calls }: Completion): readonly object[] {
  return calls.map(({ callId, tool, input }, index) => ({
    id: callId === "" ? `call_${index}` : callId,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
}

/** One frame of a streamed reply. `usage`: `null` in all frames when it comes in one of its own, absent when it was not asked for. */
export const chatChunk = (head: ReplyHead, delta: object, finishReason: Completion["finishReason"] | null, more: object = {}): object => ({
  ...head,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  ...more,
});

export const usageChunk = (head: ReplyHead, usage: Usage): object => ({ ...head, object: "chat.completion.chunk", choices: [], usage });
