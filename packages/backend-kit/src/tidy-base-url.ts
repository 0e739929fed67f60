import { MassgenError } from "@massgen/contracts";

export interface BaseUrl {
  /** Without trailing slash, query, user and password: `https://api.openai.com/v1`. */
  readonly href: string;
  /** The query the user wrote, to be sent with every request. */
  readonly query: Readonly<Record<string, string>>;
  /** User and password of the address; never to be shown. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

export interface BaseUrlRules {
  /** Path of the API below the base address; an address that already ends in it is cut: `/chat/completions`. */
  readonly apiPath: string;
  /** Put behind an address that is nothing but a host: `/v1`. */
  readonly defaultPath: string;
}

/** Names of query parameters whose values may be shown. */
const SHOWN_PARAMETERS = /^(api-version|version|model|deployment|region)$/i;

/**
 * Makes the many ways of writing a base address into one (docs/spec/backends.md 5).
 * @throws MassgenError `CONFIG_INVALID` when it is empty or no http address.
 */
export function tidyBaseUrl(text: string, { apiPath, defaultPath }: BaseUrlRules): BaseUrl {
  const trimmed = text.trim();
  if (trimmed === "") throw invalid("base_url is empty.", "Leave it out for the vendor's own address, or write one like https://host/v1.");
  if (!/^https?:\/\//i.test(trimmed))
    throw invalid(`base_url "${showUrl(trimmed)}" needs http:// or https:// in front.`, "Write it like https://host/v1.");
  const url = parse(trimmed);
  const path = withoutEnding(url.pathname.replace(/\/+$/, ""), apiPath);
  return {
    href: `${url.origin}${path === "" ? defaultPath : path}`,
    query: Object.fromEntries(url.searchParams),
    credentials: url.username === "" && url.password === "" ? null : { user: decode(url.username), password: decode(url.password) },
  };
}

/** An address as people may see it: no user, no password, no fragment, no values in the query except harmless ones. */
export function showUrl(address: string): string {
  const url = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address) : null;
  // No address of ours, but maybe one with a password in it.
  if (url === null) return address.replace(/(^|\/\/)[^/\s]*@/, "$1").replace(/[?#].*$/s, "");
  const query = [...url.searchParams].map(([name, value]) => `${name}=${SHOWN_PARAMETERS.test(name) ? value : "…"}`).join("&");
  return `${url.origin}${url.pathname}${query === "" ? "" : `?${query}`}`;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid(`base_url "${showUrl(text)}" is no address.`, "Write it like https://host/v1.");
  }
}

function withoutEnding(path: string, ending: string): string {
  return path.toLowerCase().endsWith(ending) ? path.slice(0, -ending.length).replace(/\/+$/, "") : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalid(message: string, hint: string): MassgenError {
  return new MassgenError("CONFIG_INVALID", message, { hint, exitCode: 1 });
}
