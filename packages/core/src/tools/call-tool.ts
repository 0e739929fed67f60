import type { AgentId, Ambient, Channel, Delta, JsonValue, ToolCallPart, ToolHandler, ToolOutput } from "@massgen/contracts";
import { OVER } from "../async/over.js";
import { unlessAborted } from "../async/unless-aborted.js";
import { previewOf } from "../text/cut-text.js";

export interface CallContext {
  readonly agent: AgentId;
  readonly channel: Channel;
  readonly ambient: Ambient;
  /** Aborts at the end of the round. */
  readonly signal: AbortSignal;
  emit(delta: Delta): void;
}

export const errorOutput = (text: string): ToolOutput => ({ parts: [{ type: "text", text }], isError: true });

/** Why the arguments of a call are none; `null` for those of any tool. */
export function unreadableText({ tool, input, inputError }: ToolCallPart): string | null {
  if (inputError !== undefined)
    return `The arguments of ${tool} could not be read as a JSON object and nothing was run: ${previewOf(inputError)}`;
  return isObject(input) ? null : `The arguments of ${tool} must be a JSON object; nothing was run: ${previewOf(JSON.stringify(input))}`;
}

/** Runs one call to its result. Whatever goes wrong is a result too: the model is to react to it. */
export async function callTool(handler: ToolHandler, call: ToolCallPart, context: CallContext): Promise<ToolOutput> {
  const { tool, input } = call;
  const { clock } = context.ambient;
  const timer = new AbortController();
  const deadline = new AbortController();
  const onRoundEnd = (): void => deadline.abort(context.signal.reason);
  context.signal.addEventListener("abort", onRoundEnd, { once: true });
  if (context.signal.aborted) onRoundEnd();
  const { timeoutMs } = handler;
  const isLate = timeoutMs === null ? null : expire(clock.sleepUntil(clock.monotonic() + timeoutMs, timer.signal), deadline);
  try {
    const output = await unlessAborted(run(handler, input, call, { ...context, signal: deadline.signal }), deadline.signal);
    return isOutput(output) ? output : errorOutput(`${tool} gave back something that is no result.`);
  } catch (error) {
    if (context.signal.aborted) return errorOutput(`${tool} was cancelled.`);
    if (deadline.signal.aborted) return errorOutput(`${tool} did not finish within ${(timeoutMs ?? 0) / 1000} seconds and was stopped.`);
    return errorOutput(`${tool} failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    timer.abort(OVER);
    context.signal.removeEventListener("abort", onRoundEnd);
    await isLate;
  }
}

/** Async so that a handler that throws at once is treated like one that rejects. */
async function run(
  handler: ToolHandler,
  input: JsonValue,
  { callId }: ToolCallPart,
  { agent, channel, ambient, signal, emit }: CallContext,
): Promise<ToolOutput> {
  return handler.run(input, {
    agent,
    callId,
    channel,
    ambient,
    signal,
    progress: (note) => emit({ type: "tool_progress", agent, callId, note }),
  });
}

/** Aborts `deadline` unless the sleep is called off first. */
const expire = (sleep: Promise<void>, deadline: AbortController): Promise<void> =>
  sleep.then(
    () => deadline.abort(new DOMException("The tool took too long.", "TimeoutError")),
    () => {},
  );

const isObject = (value: JsonValue): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Handlers are other people's code. */
const isOutput = (value: unknown): value is ToolOutput =>
  typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts);
