import type {
  ActivityFact,
  AgentId,
  Ambient,
  AssistantMessage,
  BackendAdapter,
  BackendEvent,
  Channel,
  Delta,
  FailureKind,
  StopReason,
  ToolCallPart,
  ToolResult,
  TurnRequest,
  Usage,
} from "@massgen/contracts";
import { interruptible } from "../async/interruptible.js";
import { watchSilence } from "../async/watch-silence.js";

export type LlmCall = Extract<ActivityFact, { type: "llm_call" }>;

/** How one response of the model went. */
export type Turn =
  | {
      readonly type: "ended";
      readonly reason: StopReason;
      readonly message: AssistantMessage;
      readonly text: string;
      /** Calls the host has to answer, in order. */
      readonly calls: readonly ToolCallPart[];
      /** Results of calls that the backend ran itself and that stand in `message`. */
      readonly served: readonly ToolResult[];
    }
  | { readonly type: "failed"; readonly kind: FailureKind; readonly message: string; readonly partial: string }
  /** Nobody waits for this response any more. */
  | { readonly type: "aborted" };

export interface TurnContext {
  readonly backend: BackendAdapter;
  readonly agent: AgentId;
  readonly round: number;
  readonly channel: Channel;
  readonly ambient: Ambient;
  readonly stallMs: number;
  readonly signal: AbortSignal;
  emit(delta: Delta): void;
  report(fact: ActivityFact): void;
  /** Puts the request on record before it is sent. False: it may not be sent. */
  admit(call: LlmCall): Promise<boolean> | boolean;
  reportUsage(usage: Usage): void;
}

/**
 * One request and its response: deltas for screens, call and usage for the record. Always ends soon after the signal
 * aborts or nothing was heard for `stallMs`, also when the backend does not; never throws.
 */
export async function streamTurn(request: TurnRequest, context: TurnContext): Promise<Turn> {
  const { backend, ambient, signal, agent, round, channel } = context;
  if (signal.aborted) return { type: "aborted" };
  const call = createCallRecord(context);
  const admitted = context.admit(call.started());
  // Without a budget nobody is asked, and the request goes out at once.
  if (admitted !== true && (!(await admitted) || signal.aborted)) return { type: "aborted" };
  const upstream = new AbortController();
  let isStalled = false;
  const leave = (reason: unknown): void => {
    upstream.abort(reason);
    events.interrupt();
  };
  const onAbort = (): void => leave(signal.reason);
  context.emit({ type: "response_started", agent, channel, round });
  const events = interruptible(() => backend.stream(request, upstream.signal));
  signal.addEventListener("abort", onAbort, { once: true });
  const silence = watchSilence(ambient.clock, context.stallMs, () => {
    isStalled = true;
    leave(new DOMException("The backend went silent.", "TimeoutError"));
  });
  const draft: Draft = { partial: "", served: [], byBackend: new Set() };
  const failed = (kind: FailureKind, message: string, partial = draft.partial): Turn => {
    call.note("failed", message);
    return { type: "failed", kind, message, partial };
  };
  try {
    for (let event = await events.next(); event !== null; event = await events.next()) {
      silence.heard(event.type === "turn_retried" ? event.waitMs : 0);
      if (signal.aborted) break;
      if (event.type === "turn_end") return end(event, draft, context, call);
      if (event.type === "turn_failed")
        return failed(event.failure.kind, event.failure.message, event.partial === "" ? draft.partial : event.partial);
      pass(event, draft, context, call);
    }
    if (signal.aborted) {
      call.note("failed", "cancelled");
      return { type: "aborted" };
    }
    if (isStalled) return failed("stall", `nothing came from ${backend.id} (${backend.model}) for ${context.stallMs / 1000} seconds`);
    return failed("backend_transient", `the stream of ${backend.id} (${backend.model}) ended without a closing event`);
  } catch (error) {
    return failed(
      "backend_transient",
      `the stream of ${backend.id} (${backend.model}) broke: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
    events.close();
    await silence.stop();
  }
}

/** What the response amounts to so far. */
interface Draft {
  partial: string;
  served: ToolResult[];
  readonly byBackend: Set<string>;
}

function pass(event: BackendEvent, draft: Draft, { agent, channel, emit }: TurnContext, call: CallRecord): void {
  switch (event.type) {
    case "turn_start":
      for (const message of event.warnings) emit({ type: "notice", level: "warning", agent, message });
      return;
    case "turn_retried":
      draft.partial = "";
      draft.served = [];
      call.note("retrying", event.message);
      emit({ type: "content_discarded", agent, channel, reason: event.message, waitMs: event.waitMs });
      return;
    case "text_delta":
      call.firstToken();
      draft.partial += event.text;
      if (event.text !== "") emit({ type: "content_delta", agent, channel, text: event.text });
      return;
    case "reasoning_delta":
      call.firstToken();
      if (event.text !== "") emit({ type: "reasoning_delta", agent, channel, text: event.text });
      return;
    case "tool_call":
      call.firstToken();
      if (event.executedBy === "backend") draft.byBackend.add(event.callId);
      return;
    case "tool_input_delta":
      call.firstToken();
      return;
    case "tool_result":
      draft.served.push({ callId: event.callId, output: event.output });
      return;
    // What a runtime did to files or its own context is no part of the conversation; closing events are read by the caller.
    case "file_change":
    case "context_compacted":
    case "turn_end":
    case "turn_failed":
  }
}

function end(event: Extract<BackendEvent, { type: "turn_end" }>, draft: Draft, context: TurnContext, call: CallRecord): Turn {
  const { message, reason, usage, warning } = event;
  call.note("finished", warning ?? null);
  if (usage !== null) context.reportUsage(usage);
  if (warning !== undefined) context.emit({ type: "notice", level: "warning", agent: context.agent, message: warning });
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const byHost = calls.filter(({ callId }) => !draft.byBackend.has(callId));
  return {
    type: "ended",
    reason,
    message,
    text: message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    calls: byHost,
    served: draft.served.filter(({ callId }) => calls.some((part) => part.callId === callId && !byHost.includes(part))),
  };
}

interface CallRecord {
  firstToken(): void;
  /** What is put on record before anything else. */
  started(): LlmCall;
  note(status: "retrying" | "finished" | "failed", message: string | null): void;
}

/** Puts the request on record; times are milliseconds from its start. */
function createCallRecord({ agent, round, channel, ambient, report }: TurnContext): CallRecord {
  const { clock } = ambient;
  const callId = ambient.ids.next("call");
  const startedAt = clock.monotonic();
  let ttftMs: number | null = null;
  const fact = (status: LlmCall["status"], durationMs: number | null, message: string | null): LlmCall => ({
    type: "llm_call",
    agent,
    round,
    callId,
    purpose: channel,
    status,
    ttftMs,
    durationMs,
    message,
  });
  return {
    started: () => fact("started", null, null),
    firstToken() {
      ttftMs ??= clock.monotonic() - startedAt;
    },
    note(status, message) {
      if (status === "retrying") ttftMs = null;
      report(fact(status, clock.monotonic() - startedAt, message));
    },
  };
}
