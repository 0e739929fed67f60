import type { BackendAdapter, BackendCapabilities, BackendEvent, Clock, TurnRequest } from "@massgen/contracts";
import { createPacer, type ScriptedLatency } from "./pacer.js";
import { playTurn } from "./play-turn.js";
import { fail, type Turn } from "./script.js";
import { unlessAborted } from "./unless-aborted.js";

export interface ScriptedBackendOptions {
  /** Default `scripted`. */
  readonly id?: string;
  /** Default `scripted-1`. */
  readonly model?: string;
  /** The first call gets the first, and so on; a call beyond the last fails with kind `internal`. */
  readonly steps?: readonly Turn[];
  /** Decides by what was asked; wins over `steps`. A throw becomes a failure of kind `internal`. `callIndex` counts from 0. */
  readonly respond?: (request: TurnRequest, callIndex: number) => Turn | Promise<Turn>;
  readonly capabilities?: Partial<BackendCapabilities>;
  /** Needed by scripts with `latency`, `wait` or `retried`. */
  readonly clock?: Clock;
  /** Without it everything is said at once. */
  readonly latency?: ScriptedLatency | ((callIndex: number) => ScriptedLatency);
}

/** One call as it went; `endedAtMs` and `ended` are `null` while it runs. Times are those of the clock, 0 without one. */
export interface ScriptedCall {
  readonly request: TurnRequest;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  /** `left`: the reader went away before the end. */
  readonly ended: "ended" | "failed" | "aborted" | "left" | null;
}

export interface ScriptedBackend extends BackendAdapter {
  /** Every request so far, in order of arrival. */
  readonly requests: readonly TurnRequest[];
  readonly calls: readonly ScriptedCall[];
  readonly disposed: boolean;
}

const DEFAULT_CAPABILITIES: BackendCapabilities = {
  loop: "host",
  hookDelivery: "in_process",
  toolsMayChangeMidConversation: true,
  forcedToolChoice: true,
  parallelToolCalls: true,
  input: ["text"],
  contextWindowTokens: 200_000,
  resumableConversations: false,
};

/**
 * A backend that plays a script and remembers what it was asked. It keeps the contract of `BackendAdapter` to the letter,
 * so that what works with it works with an adapter.
 *
 * @example
 * const backend = scriptedBackend({ steps: [newAnswer("Use LRU."), vote("agent1", "Simple and proven.")] });
 */
export function scriptedBackend(options: ScriptedBackendOptions): ScriptedBackend {
  const { id = "scripted", model = "scripted-1", steps = [], clock = null, latency } = options;
  if (latency !== undefined && clock === null) throw new TypeError("scriptedBackend: `latency` needs the `clock` it should pass on.");
  const calls: ScriptedCall[] = [];
  let disposed = false;

  async function script(request: TurnRequest, callIndex: number): Promise<Turn> {
    try {
      if (options.respond !== undefined) return await options.respond(request, callIndex);
      return (
        steps[callIndex] ??
        fail("internal", { message: `The script of ${id} has ${steps.length} steps, and this is call ${callIndex + 1}.` })
      );
    } catch (error) {
      return fail("internal", {
        message: `The script of ${id} threw at call ${callIndex + 1}: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }

  async function* stream(request: TurnRequest, signal: AbortSignal, callIndex: number): AsyncGenerator<BackendEvent> {
    let ended: ScriptedCall["ended"] = "left";
    try {
      yield { type: "turn_start", model, warnings: [] };
      // A script that thinks for ever is aborted like a model that does; `playTurn` says so.
      const turn = await unlessAborted(script(request, callIndex), signal).catch((): Turn => []);
      const pieces = "is" in turn ? [turn] : turn;
      const pace = typeof latency === "function" ? latency(callIndex) : (latency ?? null);
      for await (const event of playTurn({ pieces, request, callIndex, pacer: createPacer(clock, pace, signal), signal })) {
        if (event.type === "turn_end") ended = "ended";
        if (event.type === "turn_failed") ended = signal.aborted ? "aborted" : "failed";
        yield event;
      }
    } finally {
      calls[callIndex] = { ...calls[callIndex]!, endedAtMs: clock?.monotonic() ?? 0, ended };
    }
  }

  return {
    specVersion: 1,
    id,
    model,
    capabilities: { ...DEFAULT_CAPABILITIES, ...options.capabilities },
    calls,
    get requests() {
      return calls.map((call) => call.request);
    },
    get disposed() {
      return disposed;
    },
    stream(request, signal) {
      calls.push({ request, startedAtMs: clock?.monotonic() ?? 0, endedAtMs: null, ended: null });
      return stream(request, signal, calls.length - 1);
    },
    dispose() {
      disposed = true;
      return Promise.resolve();
    },
  };
}
