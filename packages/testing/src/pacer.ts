import type { Clock } from "@massgen/contracts";
import { estimateTokens } from "./estimate-tokens.js";

/** How long a scripted response takes on the clock. */
export interface ScriptedLatency {
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
  /** Tokens in one delta; a response of 600 tokens makes 600 / `tokensPerDelta` events. Default 20. */
  readonly tokensPerDelta?: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Spends time on the clock as a model would. Every wait rejects when the signal aborts. */
export interface Pacer {
  /** `text` in the pieces in which it streams, each given out once the model has had the time to produce it. */
  paced(text: string): AsyncIterable<string>;
  /** Waits for the first token if none has come yet. */
  firstToken(): Promise<void>;
  wait(ms: number): Promise<void>;
  /** Starts the response over. */
  again(): void;
}

export function createPacer(clock: Clock | null, pace: ScriptedLatency | null, signal: AbortSignal): Pacer {
  let tokens = 0;
  let startMs = clock?.monotonic() ?? 0;

  async function until(at: number): Promise<void> {
    if (clock !== null && at > clock.monotonic()) await clock.sleepUntil(at, signal);
    signal.throwIfAborted();
  }
  // Reckoned from the start of the response, so that many small waits do not drift.
  function produced(): Promise<void> {
    return until(pace === null ? startMs : startMs + pace.firstTokenMs + (tokens / pace.tokensPerSecond) * 1000);
  }

  return {
    async *paced(text) {
      for (const delta of pace === null ? whole(text) : split(text, (pace.tokensPerDelta ?? 20) * CHARACTERS_PER_TOKEN)) {
        tokens += estimateTokens(delta);
        await produced();
        yield delta;
      }
    },
    firstToken: produced,
    async wait(ms) {
      if (clock === null) throw new TypeError("This script takes time: give scriptedBackend a `clock`.");
      await until(clock.monotonic() + ms);
      startMs = tokens === 0 ? clock.monotonic() : startMs + ms;
    },
    again() {
      tokens = 0;
    },
  };
}

function whole(text: string): readonly string[] {
  return text === "" ? [] : [text];
}

/** By characters, not code units: a delta never ends in half an emoji. */
function split(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}
