import type { Ambient } from "./ambient.js";
import type { BackendAdapter } from "./backend.js";
import type { JsonValue } from "./ids.js";

/** What a config says about a backend, as its adapter gets it. */
export interface BackendOptions {
  /** Absent when the config names none: the adapter has a default, or refuses. */
  readonly model?: string;
  /** From `api_key` of the config, variables expanded. Secret: never in a message, a log, or an event. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Keys of the backend that MassGen does not use itself, spelled as in the config: `temperature`, `top_p`, those of your own. */
  readonly params: { readonly [key: string]: JsonValue };
  /** Requests besides the first that may fail, and streams besides the first that may break off. */
  readonly maxRetries: number;
  readonly maxIncompleteResponseRetries: number;
  /** Of one request. */
  readonly timeoutMs?: number;
  /** Time, chance, ids and `fetch`: use what is given, else those of the runtime. `webAmbient` of backend-kit does that. */
  readonly ambient: Partial<Ambient>;
}

/**
 * What a package or file exports to be a backend that a config can name: `type: npm:<package>`, `type: "@scope/package"`,
 * `type: ./adapter.mjs`.
 *
 * `createBackend` is called once per agent, while a run is prepared. It connects to nothing, and throws for options it
 * cannot work with: a `MassgenError` is shown as it is, any other error with the name of the module in front.
 */
export interface BackendModule {
  createBackend(options: BackendOptions): BackendAdapter;
}
