import type { Pace, ReplyContent, SimulatedReply, SimulatedUsage } from "../reply.js";
import type { FinishReason, ReplyHead, Wire, WireUsage } from "../wire/wire.js";
import type { Outlet } from "./outlet.js";
import { contentEvents, countContentTokens, planPackets } from "./plan-packets.js";
import { prepareStream } from "./prepare-stream.js";

export interface ReplyContext {
  readonly wire: Wire;
  readonly head: ReplyHead;
  readonly streamed: boolean;
  readonly inputTokens: number;
  /** For replies that name no pace of their own. */
  readonly pace: Pace;
  readonly stamp: (() => string) | null;
}

/** What becomes of the connection after the content. */
type Ending = "complete" | "break" | "silence";

interface Telling extends ReplyContent {
  readonly finish?: FinishReason;
  readonly usage?: SimulatedUsage;
}

const JSON_TYPE = { "content-type": "application/json" };
const STREAM_TYPE = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** Sends one reply. Resolves when its last byte is written, when nothing more is to come, or when the client has left. */
export async function sendReply(reply: SimulatedReply, context: ReplyContext, outlet: Outlet): Promise<void> {
  switch (reply.kind) {
    case "mute":
      return;
    case "failure":
      return sendFailure(reply, context, outlet);
    case "message": {
      const pace = reply.pace ?? context.pace;
      if (context.streamed && isAtOnce(pace) && context.stamp === null) return sendPrepared(reply, context, outlet);
      return context.streamed
        ? streamContent(reply, pace, "complete", null, context, outlet)
        : sendWhole(reply, pace, "complete", null, context, outlet);
    }
    case "cut":
    case "stall": {
      const pace = { tokensPerEvent: 1, ...(reply.pace ?? context.pace) };
      const ending = reply.kind === "cut" ? "break" : "silence";
      const after = reply.kind === "cut" ? reply.after : null;
      return context.streamed
        ? streamContent(reply, pace, ending, after, context, outlet)
        : sendWhole(reply, pace, ending, after, context, outlet);
    }
  }
}

function sendPrepared(reply: Extract<SimulatedReply, { kind: "message" }>, context: ReplyContext, outlet: Outlet): void {
  const { id } = context.head;
  const { fragments, tokens, close } = prepareStream(reply, context.wire, context.head);
  outlet.head(200, STREAM_TYPE);
  outlet.end(fragments.join(id) + close(finishOf(reply), usageOf(reply, tokens, context), id), tokens);
}

async function streamContent(
  telling: Telling,
  pace: Pace,
  ending: Ending,
  after: number | null,
  context: ReplyContext,
  outlet: Outlet,
): Promise<void> {
  const writer = context.wire.stream(context.head);
  const tokensPerEvent = pace.tokensPerEvent ?? (pace.tokensPerSecond > 0 ? 1 : null);
  const events = contentEvents(telling, { tokensPerEvent, stamp: context.stamp }).slice(0, after ?? undefined);
  const packets = planPackets(events, pace);
  for (const [index, packet] of packets.entries()) {
    if (!(await outlet.due(packet.dueMs))) return;
    if (index === 0) outlet.head(200, STREAM_TYPE);
    const text = (index === 0 ? writer.open() : "") + packet.events.map((event) => event.write(writer)).join("");
    if (ending !== "complete" || index < packets.length - 1) outlet.write(text, packet.tokens);
    else {
      const tokens = events.reduce((sum, event) => sum + event.tokens, 0);
      outlet.end(text + writer.close(finishOf(telling), usageOf(telling, tokens, context)), packet.tokens);
    }
  }
  if (ending === "break") outlet.breakOff();
}

async function sendWhole(
  telling: Telling,
  pace: Pace,
  ending: Ending,
  after: number | null,
  context: ReplyContext,
  outlet: Outlet,
): Promise<void> {
  const tokens = countContentTokens(telling);
  const generated = after ?? tokens;
  const generationMs = pace.tokensPerSecond > 0 ? (Math.max(0, generated - 1) * 1000) / pace.tokensPerSecond : 0;
  if (!(await outlet.due(pace.firstTokenMs + generationMs))) return;
  outlet.head(200, JSON_TYPE);
  if (ending === "silence") return outlet.flushHead();
  const body = context.wire.whole(context.head, telling, finishOf(telling), usageOf(telling, tokens, context));
  if (ending === "complete") return outlet.end(body, tokens);
  outlet.write(body.slice(0, body.length >> 1), Math.min(generated, tokens));
  outlet.breakOff();
}

async function sendFailure(reply: Extract<SimulatedReply, { kind: "failure" }>, context: ReplyContext, outlet: Outlet): Promise<void> {
  if (!(await outlet.due(reply.afterMs ?? 0))) return;
  const { status, body, headers } = reply;
  outlet.head(status, { ...(typeof body === "string" ? { "content-type": "text/plain; charset=utf-8" } : JSON_TYPE), ...headers });
  if (typeof body === "string") return outlet.end(body, 0);
  outlet.end(body === undefined ? context.wire.error(status, `simulated failure with status ${status}`, null) : JSON.stringify(body), 0);
}

const isAtOnce = (pace: Pace): boolean => pace.firstTokenMs <= 0 && pace.tokensPerSecond <= 0;

const finishOf = (telling: Telling): FinishReason => telling.finish ?? ((telling.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");

function usageOf(telling: Telling, outputTokens: number, context: ReplyContext): WireUsage {
  return { inputTokens: context.inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0, ...telling.usage };
}
