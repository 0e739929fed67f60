import { randomBytes } from "node:crypto";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Logins } from "./known-login.js";

/** Somebody who can be sent to a page. */
export interface Visitor {
  /** On this machine; where the authorisation server sends the person back to. */
  readonly redirectUrl: string;
  readonly state: string;
  visit(url: URL): Promise<void>;
}

export const newState = (): string => randomBytes(24).toString("base64url");

/** The SDK's view of a login. Without a visitor tokens are used and renewed; nobody is sent anywhere. */
export function createProvider(url: string, store: Logins, visitor: Visitor | null): OAuthClientProvider {
  let verifier = "";
  return {
    redirectUrl: visitor?.redirectUrl ?? "http://127.0.0.1/callback",
    clientMetadata: metadataFor(visitor?.redirectUrl ?? "http://127.0.0.1/callback"),
    ...(visitor === null ? {} : { state: () => visitor.state }),
    // A new login brings its own address to come back to, and registers with it.
    clientInformation: async () => (visitor === null || verifier !== "" ? (await store.read(url)).client : undefined),
    saveClientInformation: (client) => store.write(url, (login) => ({ ...login, client })),
    tokens: async () => (visitor === null ? (await store.read(url)).tokens : undefined),
    saveTokens: (tokens) => store.write(url, (login) => ({ ...login, tokens })),
    async redirectToAuthorization(address) {
      if (visitor === null) throw new Error("its login is over (HTTP 401): 'massgen mcp login' makes a new one");
      await visitor.visit(address);
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
    invalidateCredentials: (scope) =>
      store.write(url, ({ client, tokens }) => ({
        ...(client === undefined || scope === "all" || scope === "client" ? {} : { client }),
        ...(tokens === undefined || scope === "all" || scope === "tokens" ? {} : { tokens }),
      })),
  };
}

const metadataFor = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: "MassGen",
  redirect_uris: [redirectUrl],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});
