import type { AssistantMessage, BackendAdapter, BackendEvent, ToolCallPart, TurnRequest } from "@massgen/contracts";
import { vi } from "vitest";
import { takeTurns } from "../macrotask.js";
import type { VirtualClock } from "../virtual-clock.js";
import { suiteReplies } from "./backend-replies.js";

export const SUITE_REQUEST: TurnRequest = {
  messages: [
    { role: "system", text: "Answer in one sentence." },
    { role: "user", parts: [{ type: "text", text: "How does a cache forget? 忘れる" }] },
  ],
  tools: [
    {
      name: suiteReplies.call.tool,
      description: "Looks a topic up.",
      input: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"], additionalProperties: false },
    },
  ],
  toolChoice: "auto",
  maxOutputTokens: null,
  options: {},
};

/** A turn that is under way: what has come so far, and how it will have closed. */
export interface ObservedTurn {
  readonly events: readonly BackendEvent[];
  /** The last event, after the stream has ended by itself. Rejects when the stream throws or ends without an event. */
  readonly closing: Promise<BackendEvent>;
}

export interface Observed {
  readonly backend: BackendAdapter;
  readonly clock: VirtualClock;
  /** Aborts when the test has ended or taken too long. */
  readonly over: AbortSignal;
}

/** Reads a turn to its end and gives the time, on the virtual clock, that each announced retry asks for. */
export function observeTurn({ backend, clock, over }: Observed, signal: AbortSignal = new AbortController().signal): ObservedTurn {
  const events: BackendEvent[] = [];
  async function read(): Promise<BackendEvent> {
    const stream = backend.stream(SUITE_REQUEST, signal)[Symbol.asyncIterator]();
    for (;;) {
      const last = events.at(-1);
      const next = stream.next();
      if (last?.type === "turn_retried") await passTime(clock, last.waitMs, next, over);
      const { done, value } = await next;
      if (done === true) break;
      events.push(value);
    }
    const closing = events.at(-1);
    if (closing === undefined) throw new Error("The stream ended without a single event.");
    return closing;
  }
  const closing = read();
  // Awaited by the test, perhaps only after other things have happened.
  closing.catch(() => {});
  return { events, closing };
}

/** Moves the clock once the backend sleeps, unless it goes on without sleeping. */
async function passTime(clock: VirtualClock, ms: number, next: Promise<unknown>, over: AbortSignal): Promise<void> {
  let moved = false;
  const done = (): void => {
    moved = true;
  };
  next.then(done, done);
  const until = clock.monotonic() + ms;
  await eventually(() => moved || clock.sleepers().some((at) => at <= until), over);
  if (!moved) await clock.advance(ms);
}

/** Lets the event loop turn until `holds`. Rejects when the test is `over`, so that nothing spins behind a failed one. */
export async function eventually(holds: () => boolean, over: AbortSignal): Promise<void> {
  while (!holds()) {
    over.throwIfAborted();
    await takeTurns(1);
  }
}

/** Settles as `work` does, or rejects when that takes more than `ms` of real time. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  work.then(settle, settle);
  await vi.waitUntil(() => settled, { timeout: ms, interval: 5 });
  return work;
}

const isClosing = (event: BackendEvent): boolean => event.type === "turn_end" || event.type === "turn_failed";

/** What is wrong with the order of the events; empty when nothing is. */
export function flawsOf(events: readonly BackendEvent[]): readonly string[] {
  const flaws: string[] = [];
  if (events[0]?.type !== "turn_start") flaws.push(`the first event is ${events[0]?.type ?? "missing"}, not turn_start`);
  const starts = events.filter((event) => event.type === "turn_start").length;
  if (starts > 1) flaws.push(`there are ${starts} turn_start events`);
  const closings = events.filter(isClosing).length;
  if (closings !== 1) flaws.push(`there are ${closings} closing events`);
  const last = events.at(-1);
  if (last !== undefined && !isClosing(last)) flaws.push(`the last event is ${last.type}`);
  return flaws;
}

export const waitsOf = (events: readonly BackendEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === "turn_retried" ? [event.waitMs] : []));

/** All text that still counts: a retry voids what came before it. */
export function streamedText(events: readonly BackendEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "turn_retried") text = "";
    if (event.type === "text_delta") text += event.text;
  }
  return text;
}

const partsOf = (closing: BackendEvent): AssistantMessage["parts"] => (closing.type === "turn_end" ? closing.message.parts : []);

export const messageText = (closing: BackendEvent): string =>
  partsOf(closing)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");

export const messageCalls = (closing: BackendEvent): readonly ToolCallPart[] =>
  partsOf(closing).filter((part) => part.type === "tool_call");
