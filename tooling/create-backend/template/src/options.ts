import type { Ambient, BackendCapabilities, JsonValue } from "@massgen/contracts";

export interface ParrotOptions {
  readonly model: string;
  /** Secret. */
  readonly apiKey?: string;
  /** Default `DEFAULT_BASE_URL`. */
  readonly baseUrl?: string;
  /** Put into the body of every request as they are: `temperature`, … */
  readonly params?: { readonly [key: string]: JsonValue };
  /** Requests besides the first. Default 3. */
  readonly maxRetries?: number;
  /** Streams that broke off besides the first. Default 2. */
  readonly maxIncompleteResponseRetries?: number;
  /** Default: time, chance, ids and `fetch` of the runtime. */
  readonly ambient?: Partial<Ambient>;
}

// TODO: the address of the vendor.
export const DEFAULT_BASE_URL = "http://localhost:8000/v1";

// TODO: what the models of the vendor can do.
export const capabilities: BackendCapabilities = {
  loop: "host",
  hookDelivery: "in_process",
  toolsMayChangeMidConversation: true,
  forcedToolChoice: true,
  parallelToolCalls: true,
  input: ["text"],
  contextWindowTokens: null,
  resumableConversations: false,
};
