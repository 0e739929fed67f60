import type { Simulator } from "../simulator.js";

export interface RedirectOptions {
  /** Carries requests to the simulator. */
  readonly carry: typeof globalThis.fetch;
  /** Which agent asks, by the key it would have sent. */
  readonly agentOf: (key: string) => string | null;
}

/**
 * A `fetch` for vendors' SDKs whose every call to a model goes to the simulator, whatever the address: the adapters keep the
 * addresses and dialects of the real vendors, and nothing leaves the machine. Anything else is refused, not carried.
 */
export function redirectToSimulator(simulator: Simulator, { carry, agentOf }: RedirectOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : null;
    const url = new URL(request?.url ?? String(input));
    const path = simulatedPath(url.pathname);
    if (path === null) throw new Error(`This run is simulated: nothing is asked of ${url.host}${url.pathname}.`);
    const headers = new Headers(init?.headers ?? request?.headers);
    const key = KEY_HEADERS.map((name) => headers.get(name)).find((value) => value !== null) ?? "";
    const agent = agentOf(key.replace(/^Bearer /i, ""));
    for (const name of KEY_HEADERS) headers.delete(name);
    if (agent !== null) headers.set("x-simulated-agent", encodeURIComponent(agent));
    const order = request === null ? init : { method: request.method, body: await request.text(), signal: request.signal, ...init };
    return carry(`${simulator.url}${path}${url.search}`, { ...order, headers });
  };
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

/** Where the simulator serves what the path of a vendor, gateway or local server asks; `null` for anything but models. */
function simulatedPath(path: string): string | null {
  const found = PATHS.find(([end]) => end.test(path));
  return found === undefined ? null : found[1](path);
}

const PATHS: readonly (readonly [end: RegExp, to: (path: string) => string])[] = [
  [/\/chat\/completions$/, () => "/v1/chat/completions"],
  [/\/responses$/, () => "/v1/responses"],
  [/\/messages$/, () => "/v1/messages"],
  [/\/models\/[^/]+:(?:stream)?[gG]enerateContent$/, (path) => `/v1beta${path.slice(path.lastIndexOf("/models/"))}`],
];
