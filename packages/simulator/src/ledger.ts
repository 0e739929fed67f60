import type { JsonValue } from "@massgen/contracts";
import type { SimulatedApi } from "./request.js";
import type { Violation } from "./wire/wire.js";

/** What the server knows about one request to a model. Filled in while the reply is on its way. */
export interface LedgerEntry {
  readonly api: SimulatedApi;
  readonly agent: string;
  readonly model: string;
  /** See `SimulatedRequest.index`; `null` for a request that was refused before it reached the model. */
  readonly index: number | null;
  /** Milliseconds on the machine's monotonic clock, the same for all its processes. `null`: it never came to that. */
  readonly arrivedAtMs: number;
  readonly firstByteAtMs: number | null;
  readonly lastByteAtMs: number | null;
  readonly status: number | null;
  /** The body as the client sent it; `null` with `bodies: "forget"`. */
  readonly body: JsonValue;
  /** What the model reads, in the order of prompt caches: see `canonicalPrompt`. Empty with `bodies: "forget"`. */
  readonly canonicalText: string;
  readonly inputTokens: number;
  /** Tokens written so far, of a message, a cut one too. */
  readonly outputTokens: number;
  /** The client hung up before the reply was complete. */
  readonly clientLeft: boolean;
  /** Rules of the vendor that the request broke, also when they were let pass. */
  readonly violations: readonly Violation[];
}

/** The server's own hold on an entry. */
export type OpenEntry = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
