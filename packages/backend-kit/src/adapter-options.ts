import type { Ambient, JsonValue } from "@massgen/contracts";
import type { Guard } from "./breaker.js";
import type { PriceTable } from "./prices.js";
import type { RateLimiter } from "./rate-limiter.js";

/** What every adapter of a model API is made with; each says in its own options what it adds and what its defaults are. */
export interface AdapterOptions {
  /** Provider type, as events and logs name it. */
  readonly id?: string;
  readonly model: string;
  /** Never logged, never shown. */
  readonly apiKey?: string;
  /** Name of the variable the key came from, for the message when the vendor refuses it. */
  readonly keyName?: string;
  /** Known models with names near this one, for the message when the vendor does not know it. */
  readonly nearModels?: readonly string[];
  /** Default: the vendor's own address. */
  readonly baseUrl?: string;
  /** Name of the vendor in messages. Default: that of the type. */
  readonly vendorName?: string;
  /** Fields for the request, as the user wrote them; some are renamed (docs/spec/backends.md 8), unknown ones are passed on. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** Sent with every request; their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests besides the first that may fail before a stream opened. Default 3. */
  readonly maxRetries?: number;
  /** Streams besides the first that may break off. Default 2. */
  readonly maxIncompleteResponseRetries?: number;
  /** Milliseconds in which some content must arrive; pings, comments and empty events do not count. Default 240 000. */
  readonly timeoutMs?: number;
  /** The circuit breaker shared with others who ask the same vendor. Default: none. */
  readonly guard?: Guard;
  /** The rate limiter shared with others who ask the same model. Default: none. */
  readonly limiter?: RateLimiter;
  /** Tokens the model can read; `null` when unknown. Default: what is known of the model. */
  readonly contextWindowTokens?: number | null;
  readonly prices?: PriceTable;
  /** Clock, randomness, ids and `fetch`. Default: those of the runtime. */
  readonly ambient?: Partial<Ambient>;
}
