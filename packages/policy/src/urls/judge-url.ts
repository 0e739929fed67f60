import type { PolicyVerdict } from "@massgen/contracts";
import ipaddr from "ipaddr.js";
import type { UrlRules } from "../grants.js";
import { quote, refuse } from "../refusal.js";
import { addressFault } from "./judge-address.js";

const PORTS: ReadonlySet<string> = new Set("22 23 25 53 135 139 445 1433 1521 3306 3389 5432 6379".split(" "));
const LOCAL = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|onion|test|invalid)$/;
const MAX_URL = 8_192;
const MAX_QUERY = 2_000;

/**
 * Judges a URL before it is fetched: scheme, credentials, port, host. Names are not looked up here: every address a name
 * has goes through `addressFault`. A query long enough to carry files away is asked about.
 */
export function judgeUrl(written: string, rules: UrlRules): PolicyVerdict {
  const url = written.length <= MAX_URL && URL.canParse(written) ? new URL(written) : null;
  if (url === null) return refuse("URL_BLOCKED", "syntax", `${quote(written)} is no URL. Give a full http or https address.`);
  const fault = schemeFault(url) ?? hostFault(url, rules) ?? domainFault(hostOf(url), rules);
  if (fault !== null) return refuse("URL_BLOCKED", fault.rule, `You cannot fetch ${quote(shown(url))}: ${fault.why}.`);
  if (url.search.length + url.hash.length <= MAX_QUERY) return { type: "allow", rule: "url" };
  return { type: "ask", rule: "url:long_query", reason: `${quote(shown(url))} sends ${url.search.length} characters in its query.` };
}

interface Fault {
  readonly rule: string;
  readonly why: string;
}

function schemeFault(url: URL): Fault | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") return { rule: "scheme", why: "only http and https are allowed" };
  if (url.username !== "" || url.password !== "") return { rule: "credentials", why: "it contains a name or password" };
  return PORTS.has(url.port) ? { rule: "port", why: `port ${url.port} does not serve web pages` } : null;
}

/** The parser has already turned decimal, octal and hexadecimal addresses, and full-width letters, into plain ones. */
function hostFault(url: URL, rules: UrlRules): Fault | null {
  const host = hostOf(url);
  const bare = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(bare)) {
    const fault = addressFault(bare, rules);
    return fault === null ? null : { rule: "address", why: `the address ${fault}` };
  }
  const isHere = /(?:^|\.)localhost$/.test(host);
  if (isHere && rules.allowedNetworks?.includes("loopback") === true) return null;
  if (!isHere && rules.allowedNetworks?.includes("private") === true && !/(?:^|\.)metadata\b/.test(host)) return null;
  return LOCAL.test(host) || !host.includes(".") ? { rule: "host", why: "the host is not a public one" } : null;
}

function domainFault(host: string, { allowedDomains = null, blockedDomains = [] }: UrlRules): Fault | null {
  if (blockedDomains.some((domain) => isWithin(host, domain))) return { rule: "blocked_domain", why: "the configuration blocks this host" };
  if (allowedDomains === null || allowedDomains.some((domain) => isWithin(host, domain))) return null;
  const some = allowedDomains.slice(0, 10).join(", ");
  return { rule: "domain", why: `the configuration allows only ${some === "" ? "no host at all" : some}` };
}

function isWithin(host: string, written: string): boolean {
  const domain = written.toLowerCase().replace(/\.$/, "");
  return domain.startsWith("*.") ? host.endsWith(domain.slice(1)) && host.length > domain.length - 1 : host === domain;
}

const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.+$/, "");

/** Without credentials and query: both may hold secrets. */
const shown = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`;
