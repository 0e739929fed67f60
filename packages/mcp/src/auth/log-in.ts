import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { guardFetch } from "../http/guard-fetch.js";
import type { McpTransport } from "../server.js";
import { createProvider, newState } from "./provider.js";
import type { TokenStore } from "./token-store.js";

export interface LoginOptions {
  readonly setting: Extract<McpTransport, { kind: "http" }>;
  readonly store: TokenStore;
  readonly fetch: typeof globalThis.fetch;
  /** Shows the person the page of the authorisation server. */
  visit(url: URL): Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Logs the person in to a server, who agrees on a page of the authorisation server and is sent back to this machine.
 * Resolves when the tokens are kept. Rejects when the server wants no login, the person refuses, or `signal` aborts.
 */
export async function logIn({ setting, store, fetch, visit, signal }: LoginOptions): Promise<void> {
  const { auth, extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const guarded = guardFetch(fetch, setting);
  const response = await guarded(setting.url, {
    method: "POST",
    headers: { ...setting.headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
    signal,
  });
  await response.body?.cancel();
  if (response.status !== 401) throw new Error(`The server wants no login: it answered with HTTP ${response.status}.`);
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  const back = await awaitReturn(signal);
  try {
    const provider = createProvider(setting.url, store, { redirectUrl: back.url, state: back.state, visit });
    const common = {
      serverUrl: setting.url,
      fetchFn: guarded,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
    await auth(provider, common);
    const authorizationCode = await back.code;
    await auth(provider, { ...common, authorizationCode });
  } finally {
    back.close();
  }
}

interface Return {
  readonly url: string;
  readonly state: string;
  /** Rejects when the person refused. */
  readonly code: Promise<string>;
  close(): void;
}

/** A page of this machine, for the one visit with the right state. */
async function awaitReturn(signal: AbortSignal): Promise<Return> {
  const state = newState();
  let settle: { resolve(code: string): void; reject(error: unknown): void } | null = null;
  const code = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  code.catch(() => {});
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = pathname === "/callback" && searchParams.get("state") === state;
    response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(isOurs ? "MassGen has the answer. You can close this page.\n" : "There is nothing here.\n");
    if (!isOurs) return;
    const given = searchParams.get("code");
    if (given !== null) settle?.resolve(given);
    else
      settle?.reject(
        new Error(`The login was refused: ${searchParams.get("error_description") ?? searchParams.get("error") ?? "no reason was given"}.`),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const onAbort = (): void => settle?.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    state,
    code,
    close() {
      signal.removeEventListener("abort", onAbort);
      server.close();
    },
  };
}
