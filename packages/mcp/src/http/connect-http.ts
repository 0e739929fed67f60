import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpTransport } from "../server.js";

export interface HttpConnection {
  readonly client: Client;
  /** Tells the server that its session is over, where it has one. */
  endSession(): Promise<void>;
}

export interface HttpOptions {
  readonly setting: Extract<McpTransport, { kind: "http" }>;
  readonly fetch: typeof globalThis.fetch;
  readonly auth: OAuthClientProvider | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  createClient(): Client;
}

/** Streamable HTTP, or for servers of the first days, which answer that with a plain refusal, HTTP with server-sent events. */
export async function connectHttp({ setting, fetch, auth, timeoutMs, signal, createClient }: HttpOptions): Promise<HttpConnection> {
  const { StreamableHTTPClientTransport, StreamableHTTPError } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const url = new URL(setting.url);
  const options = { requestInit: { headers: { ...setting.headers } }, fetch, ...(auth === null ? {} : { authProvider: auth }) };
  const streamable = new StreamableHTTPClientTransport(url, options);
  const client = createClient();
  try {
    // Its optional fields are not written for exact optional types.
    await client.connect(streamable as Transport, { timeout: timeoutMs, signal });
    return { client, endSession: () => streamable.terminateSession() };
  } catch (error) {
    await client.close().catch(() => {});
    if (!(error instanceof StreamableHTTPError) || !PREDATES.includes(error.code ?? 0)) throw error;
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    const older = createClient();
    try {
      await older.connect(new SSEClientTransport(url, options), { timeout: timeoutMs, signal });
    } catch {
      await older.close().catch(() => {});
      // What the server said to the present protocol tells more.
      throw error;
    }
    return { client: older, endSession: async () => {} };
  }
}

/** What servers of the older protocol answer to a request of the present one. */
const PREDATES: readonly number[] = [400, 404, 405];
