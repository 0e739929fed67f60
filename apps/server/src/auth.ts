import type { FastifyRequest } from "fastify";
import { ApiError } from "./errors.js";
import type { KeyRing } from "./keys.js";

/** Open to everybody: whoever watches over the server has no key. */
const OPEN = new Set(["/health", "/ready"]);

/** @throws ApiError 403 for a request that was sent to a name which is not this server's */
export function checkHost(request: FastifyRequest, allowed: readonly string[] | null): void {
  if (allowed === null) return;
  const host = request.headers.host ?? "";
  const name = host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : host.replace(/:\d*$/, "");
  if (!allowed.includes(name.toLowerCase())) throw new ApiError(403, "This server is not called by that name.", { code: "wrong_host" });
}

/**
 * What changes something is not done for a page of another origin, key or no key: a browser sends such requests along with
 * whatever it knows, and only browsers say where from.
 *
 * @throws ApiError 403
 */
export function checkOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  if (origin !== undefined && (allowed.includes(origin) || allowed.includes("*"))) return;
  throw new ApiError(403, "Pages of other origins may not do this.", { code: "wrong_origin" });
}

/** Of a server that only shows runs. @throws ApiError 403 for what would do more than look */
export function checkOnlyReads(request: FastifyRequest): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  throw onlyReads();
}

export const onlyReads = (): ApiError =>
  new ApiError(403, "This server only shows runs: it starts none, steers none and writes nothing.", { code: "read_only" });

/** Keys and teams are for the page of this server alone, whatever other pages may ask of it. @throws ApiError 403 */
export function checkSameOrigin(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new ApiError(403, "Only the page of this server may do this.", { code: "wrong_origin" });
}

/** The name of the key a request comes with; `null` where no key is needed: for `page`, too. @throws ApiError 401 */
export function authenticate(request: FastifyRequest, keys: KeyRing | null, page: ReadonlySet<string>): string | null {
  const [path = ""] = request.url.split("?");
  if (keys === null || OPEN.has(path) || page.has(path)) return null;
  const key = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1];
  const name = key === undefined ? null : keys.nameOf(key);
  if (name !== null) return name;
  throw new ApiError(401, key === undefined ? "A key is needed: send `Authorization: Bearer …`." : "The key is not known here.", {
    code: key === undefined ? "missing_api_key" : "invalid_api_key",
    headers: { "www-authenticate": "Bearer" },
  });
}
