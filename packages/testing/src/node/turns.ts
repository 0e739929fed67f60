import type { BackendAdapter, BackendEvent, Message, ToolSpec, TurnRequest } from "@massgen/contracts";
import { type TestAmbient, testAmbient } from "../ambient.js";
import type { ReplayServer } from "./replay-server.js";

/** What benches send as a key. */
export const KEY = "replay-key-not-secret-0000";

const text = { type: "string" } as const;
export const deskTools: readonly ToolSpec[] = [
  { name: "mcp__desk__lookup", description: "Looks something up.", input: { type: "object", properties: { q: text }, required: ["q"] } },
  { name: "mcp__desk__now", description: "Tells the time.", input: { type: "object", properties: {} } },
  {
    name: "mcp__desk__save",
    description: "Saves a text.",
    input: { type: "object", properties: { path: text, text }, required: ["path", "text"] },
  },
];

export const question: readonly Message[] = [
  { role: "system", text: "You have a desk." },
  { role: "user", parts: [{ type: "text", text: "What is on the desk?" }] },
];

export function turnRequest(overrides: Partial<TurnRequest> = {}): TurnRequest {
  return { messages: question, tools: deskTools, toolChoice: "auto", maxOutputTokens: null, options: {}, ...overrides };
}

export interface Bench {
  readonly backend: BackendAdapter;
  readonly server: ReplayServer;
  readonly ambient: TestAmbient;
  turn(request?: Partial<TurnRequest>, signal?: AbortSignal, onEvent?: (event: BackendEvent) => void): Promise<Turn>;
}

/** What a bench gives to the adapter it is for. */
export interface BenchOptions {
  readonly model: string;
  readonly apiKey: string;
  readonly ambient: TestAmbient;
}

/** An adapter on a virtual clock in front of a scripted vendor on loopback. Pauses between attempts pass at once. */
export function benchOf(server: ReplayServer, create: (options: BenchOptions) => BackendAdapter): Bench {
  const ambient = testAmbient({ fetch: globalThis.fetch });
  const backend = create({ model: "replay-model", apiKey: KEY, ambient });
  return {
    backend,
    server,
    ambient,
    turn: (request, signal, onEvent) =>
      collect(backend.stream(turnRequest(request), signal ?? new AbortController().signal), (event) => {
        if (event.type === "turn_retried" && event.waitMs > 0) void skipPause(ambient.clock, event.waitMs);
        onEvent?.(event);
      }),
  };
}

/** The pause begins when the reader asks for the next event, one turn from now. */
async function skipPause(clock: TestAmbient["clock"], waitMs: number): Promise<void> {
  await clock.settle();
  await clock.advance(waitMs);
}

export interface Turn {
  readonly events: readonly BackendEvent[];
  readonly closing: Extract<BackendEvent, { type: "turn_end" | "turn_failed" }>;
  readonly retries: readonly Extract<BackendEvent, { type: "turn_retried" }>[];
  /** What was shown since the last retry. */
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Extract<BackendEvent, { type: "tool_call" }>[];
}

/** Reads a turn to its end. @throws Error when it does not close */
export async function collect(stream: AsyncIterable<BackendEvent>, onEvent?: (event: BackendEvent) => void): Promise<Turn> {
  const events: BackendEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    onEvent?.(event);
  }
  const closing = events.at(-1);
  if (closing?.type !== "turn_end" && closing?.type !== "turn_failed") throw new Error("the turn did not close");
  const valid = events.slice(events.findLastIndex((event) => event.type === "turn_retried") + 1);
  return {
    events,
    closing,
    retries: events.filter((event) => event.type === "turn_retried"),
    text: valid.map((event) => (event.type === "text_delta" ? event.text : "")).join(""),
    reasoning: valid.map((event) => (event.type === "reasoning_delta" ? event.text : "")).join(""),
    calls: valid.filter((event) => event.type === "tool_call"),
  };
}

/** The message a turn ended with; a turn that failed fails the test with its reason. */
export function ended({ closing }: Turn): Extract<BackendEvent, { type: "turn_end" }> {
  if (closing.type !== "turn_end") throw new Error(closing.failure.message);
  return closing;
}

/** The failure a turn ended with; a turn that went well fails the test. */
export function failed({ closing }: Turn): Extract<BackendEvent, { type: "turn_failed" }> {
  if (closing.type !== "turn_failed") throw new Error(`the turn ended: ${JSON.stringify(closing.message)}`);
  return closing;
}

/** The history after a turn whose calls were answered with `output`. */
export function answered(turn: Turn, output: string): readonly Message[] {
  return [
    ...question,
    ended(turn).message,
    {
      role: "tool",
      results: turn.calls.map(({ callId }) => ({ callId, output: { parts: [{ type: "text", text: output }], isError: false } })),
    },
  ];
}
