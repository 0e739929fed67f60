import {
  type Asked,
  AttemptError,
  type AttemptEvent,
  addFragment,
  classifyNetworkError,
  classifyStreamError,
  estimateUsage,
  gatherCalls,
  isWhole,
  openToolCalls,
  parseArguments,
  readEventStream,
  type ToolNames,
  transient,
} from "@massgen/backend-kit";
import type { Part, StopReason, ToolCallPart, TurnRequest, Usage } from "@massgen/contracts";

// TODO: the events of the vendor.
interface Chunk {
  readonly error?: unknown;
  readonly choices?: readonly { readonly delta?: Delta; readonly finish_reason?: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}
interface Delta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

export interface Reading {
  readonly asked: Asked;
  readonly request: TurnRequest;
  readonly names: ToolNames;
  readonly newId: () => string;
  readonly signal: AbortSignal;
}

/** The events of one response; throws `AttemptError` when it breaks off, reports an error, or ends without having said so. */
export async function* readReply(body: ReadableStream<Uint8Array>, reading: Reading): AsyncGenerator<AttemptEvent> {
  const { asked, request, names, newId, signal } = reading;
  const taken = request.messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [],
  );
  const calls = openToolCalls(taken, newId);
  let text = "";
  let refused = false;
  let finish: string | null = null;
  let usage: Usage | null = null;
  for await (const data of dataOf(body, asked, signal)) {
    const chunk = parseChunk(data);
    if (chunk.error !== undefined) throw new AttemptError(classifyStreamError(asked, chunk.error));
    if (chunk.usage) usage = usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    finish = choice?.finish_reason ?? finish;
    if (choice?.delta?.refusal) refused = true;
    const said = choice?.delta?.content || choice?.delta?.refusal || "";
    text += said;
    if (said !== "") yield { type: "text_delta", text: said };
    for (const { index, id, function: called } of choice?.delta?.tool_calls ?? []) {
      const fragment = { index: index ?? null, id: id ?? "", name: called?.name ?? "", arguments: called?.arguments ?? null };
      const shown = addFragment(calls, fragment);
      if (shown !== null) yield { type: "tool_input_delta", ...shown, tool: names.fromWire(shown.tool) };
    }
  }
  if (finish === null) throw new AttemptError(transient(`${asked.vendor} broke off in the middle of its answer.`));

  const isCut = finish === "length";
  // Of a response that was cut, only what is whole counts: half of the arguments are not the arguments.
  const gathered = gatherCalls(calls).filter(({ argumentsText }) => !isCut || isWhole(argumentsText));
  const called = gathered.map(
    ({ callId, tool, argumentsText }): ToolCallPart => ({
      type: "tool_call",
      callId,
      tool: names.fromWire(tool),
      ...parseArguments(argumentsText),
    }),
  );
  const parts: readonly Part[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...called];
  for (const call of called) yield { ...call, type: "tool_call", executedBy: "host" };
  const reason: StopReason = isCut
    ? "length"
    : refused || finish === "content_filter"
      ? "refusal"
      : called.length > 0
        ? "tool_calls"
        : "stop";
  yield { type: "turn_end", reason, message: { role: "assistant", parts }, usage: usage ?? estimateUsage(request, parts, null) };
}

async function* dataOf(body: ReadableStream<Uint8Array>, asked: Asked, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const events of readEventStream(body, signal)) {
      for (const { data } of events) {
        if (data === "[DONE]") return;
        yield data;
      }
    }
  } catch (error) {
    throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  }
}

function parseChunk(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk;
  } catch (cause) {
    throw new AttemptError(transient("An event of the stream is no JSON."), { cause });
  }
}

const usageOf = ({ prompt_tokens, completion_tokens }: NonNullable<Chunk["usage"]>): Usage => ({
  inputTokens: prompt_tokens,
  outputTokens: completion_tokens,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd: null,
});
