import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { addressFault } from "@massgen/policy";
import { oneLine } from "../one-line.js";
import type { McpTransport } from "../server.js";
import { cappedBody } from "./capped-body.js";

type Setting = Extract<McpTransport, { kind: "http" }>;

const LONGEST_PAUSE_MS = 60_000;
const MOST_PAUSES = 2;

/**
 * A `fetch` that goes only where the server of the config may be: every address a name has is looked at before a request,
 * redirects are handed back, the body of an answer that breaks off is told, answers end at 10 MiB per message, and a server that asks for a pause of up to a minute gets it.
 */
export function guardFetch(
  inner: typeof globalThis.fetch,
  setting: Setting,
  onBroken: (reason: string) => void = () => {},
): typeof globalThis.fetch {
  const isGood = new Map<string, Promise<string | null>>();
  const faultOf = (url: URL): Promise<string | null> => {
    const known = isGood.get(url.host) ?? addressesFault(url, setting);
    isGood.set(url.host, known);
    return known;
  };

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const fault = await faultOf(url);
    if (fault !== null) throw new Error(fault);
    for (let pauses = 0; ; pauses++) {
      const response = await withinTime(setting.readTimeoutMs, init?.signal ?? null, (signal) =>
        inner(url, { ...init, signal, redirect: "manual" }),
      );
      const pauseMs = response.status === 429 && pauses < MOST_PAUSES ? pauseOf(response.headers.get("retry-after")) : null;
      if (pauseMs === null) return cappedBody(response, init?.method === "POST" ? onBroken : () => {});
      await response.body?.cancel();
      await wait(pauseMs, undefined, init?.signal == null ? {} : { signal: init.signal });
    }
  };
}

/** `null` when there is no wish, or one that nobody waits for. */
function pauseOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return pauseMs >= 0 && pauseMs <= LONGEST_PAUSE_MS ? pauseMs : null;
}

async function addressesFault(url: URL, { networks, trustedHosts }: Setting): Promise<string | null> {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${oneLine(url.protocol)} is no address of a server`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (trustedHosts.includes(host)) return null;
  // A name that cannot be looked up here may be known to the proxy, and the request tells the rest.
  const addresses =
    isIP(host) !== 0
      ? [host]
      : await lookup(host, { all: true }).then(
          (all) => all.map(({ address }) => address),
          () => [],
        );
  for (const address of addresses) {
    const fault = addressFault(address, { allowedNetworks: networks });
    if (fault !== null) return `${host} is not connected to: ${address === host ? "it" : address} ${fault}; ${wayOut(fault)}`;
  }
  return null;
}

const wayOut = (fault: string): string =>
  fault.includes("this machine")
    ? "set security.allow_localhost if that is meant"
    : fault.includes("private")
      ? "set security.allow_private_ips if that is meant"
      : "name it in security.allowed_hostnames if that is meant";

/** Until the head is there; what follows may take as long as the call. */
async function withinTime(ms: number, outer: AbortSignal | null, send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms / 1000} s`)), ms);
  try {
    return await send(outer === null ? late.signal : AbortSignal.any([outer, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
