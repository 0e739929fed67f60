import type { BackendEvent, BackendFailure, Clock, TurnRequest } from "@massgen/contracts";
import {
  brokenCall,
  cut,
  fail,
  lengthLimit,
  refusal,
  type ScriptedBackend,
  scriptedBackend,
  stall,
  type Turn,
  text,
  toolCall,
  usage,
} from "@massgen/testing";
import { describeBackend, type ReplyKind, suiteReplies } from "@massgen/testing/suites";

const replies: Record<ReplyKind, Turn> = {
  text: [text("A cache forgets "), text(suiteReplies.text.slice(16)), usage(suiteReplies.usage)],
  text_without_usage: [text(suiteReplies.text), usage(null)],
  tool_call: toolCall(suiteReplies.call.tool, suiteReplies.call.input),
  two_tool_calls: [
    toolCall(suiteReplies.call.tool, suiteReplies.call.input),
    toolCall(suiteReplies.secondCall.tool, suiteReplies.secondCall.input),
  ],
  broken_arguments: brokenCall(suiteReplies.call.tool, suiteReplies.brokenArguments),
  length: [text("A cache forgets "), lengthLimit()],
  refusal: refusal(suiteReplies.refusal),
  server_error: fail("backend_transient"),
  rate_limited: fail("backend_transient", { status: 429, retryAfterMs: suiteReplies.retryAfterMs }),
  unauthorized: fail("backend_fatal"),
  context_overflow: fail("context_overflow"),
  cut: [text("A cache forgets "), cut()],
  stall: [text("A cache forgets "), stall()],
  silence: stall(),
  garbage: fail("backend_transient", { message: "The scripted vendor answered with HTML." }),
};
const MAX_ATTEMPTS = 4;

/** The smallest adapter that keeps the contract: the script plays the vendor, one call for each attempt. */
async function* withRetries(
  vendor: ScriptedBackend,
  clock: Clock,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<BackendEvent> {
  yield { type: "turn_start", model: vendor.model, warnings: [] };
  for (let attempt = 1; ; attempt++) {
    let failure: BackendFailure = { kind: "backend_transient", message: "Cancelled.", status: null, retryAfterMs: null };
    let partial = "";
    for await (const event of signal.aborted ? [] : vendor.stream(request, signal)) {
      if (event.type === "turn_failed") ({ failure, partial } = event);
      else if (event.type !== "turn_start") yield event;
      if (event.type === "turn_end") return;
    }
    if (signal.aborted || failure.kind !== "backend_transient" || attempt === MAX_ATTEMPTS) {
      yield { type: "turn_failed", failure, partial };
      return;
    }
    const waitMs = failure.retryAfterMs ?? 500;
    yield { type: "turn_retried", attempt, waitMs, message: failure.message };
    await clock.sleepUntil(clock.monotonic() + waitMs, signal).catch(() => {});
  }
}

describeBackend("a retrying adapter over scriptedBackend", async ({ clock }) => {
  let script: readonly ReplyKind[] = ["text"];
  const vendor = scriptedBackend({ respond: (_, call) => replies[script[Math.min(call, script.length - 1)]!] });
  return {
    backend: { ...vendor, stream: (request, signal) => withRetries(vendor, clock, request, signal) },
    replyWith(...kinds) {
      script = kinds;
      return undefined;
    },
    requestCount: () => vendor.requests.length,
  };
});
