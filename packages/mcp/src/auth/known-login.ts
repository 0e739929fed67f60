import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/** What is kept of the login to one server. */
export interface KnownLogin {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
}

/** Where logins are kept, by the address of the server. */
export interface Logins {
  read(url: string): Promise<KnownLogin>;
  /** `null` forgets it. */
  write(url: string, change: (login: KnownLogin) => KnownLogin | null): Promise<void>;
}
