import type { Completion } from "./outcome.js";

/** What the objects of one response have in common. */
export interface ResponseHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly model: string;
  readonly previous_response_id: string | null;
  readonly instructions: string | null;
  readonly store: boolean;
}

export type OutputItem = { readonly id: string; readonly type: "reasoning" | "message" | "function_call" } & Readonly<
  Record<string, unknown>
>;

/** The object of a response, as far as it has come. */
export const responseObject = (
  head: ResponseHead,
  status: "in_progress" | "completed" | "incomplete" | "failed",
  output: readonly OutputItem[],
  more: { readonly completion?: Completion; readonly error?: { readonly code: string; readonly message: string } } = {},
): object => ({
  ...head,
  object: "response",
  status,
  output,
  error: more.error ?? null,
  incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  temperature: null,
  top_p: null,
  max_output_tokens: null,
  metadata: {},
  usage: more.completion === undefined ? null : usageOf(more.completion),
  ...(more.completion === undefined ? {} : { massgen_metadata: more.completion.metadata }),
});

export const reasoningItem = (id: string, text: string): OutputItem => ({
  id,
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
});

export const messageItem = (id: string, text: string, status: "in_progress" | "completed"): OutputItem => ({
  id,
  type: "message",
  role: "assistant",
  status,
  content: status === "in_progress" ? [] : [textPart(text)],
});

export const textPart = (text: string): object => ({ type: "output_text", text, annotations: [], logprobs: [] });

export const callItems = ({ calls }: Completion, id: string): readonly OutputItem[] =>
  calls.map(({ callId, tool, input }, index) => ({
    id: `fc_${id}_${index}`,
    type: "function_call",
    status: "completed",
    call_id: callId === "" ? `call_${index}` : callId,
    name: tool,
    arguments: JSON.stringify(input),
  }));

const usageOf = ({ usage }: Completion): object => ({
  input_tokens: usage.prompt_tokens,
  input_tokens_details: { cached_tokens: usage.prompt_tokens_details.cached_tokens },
  output_tokens: usage.completion_tokens,
  output_tokens_details: { reasoning_tokens: usage.completion_tokens_details.reasoning_tokens },
  total_tokens: usage.total_tokens,
});
