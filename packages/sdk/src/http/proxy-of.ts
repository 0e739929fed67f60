import type { Environment } from "@massgen/config";

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` (in either case) name for a URL, unless `NO_PROXY` excludes its
 * host; `null` for none. What runs on this machine is never asked through a proxy.
 */
export function proxyOf(url: Pick<URL, "protocol" | "hostname" | "port">, env: Environment): string | null {
  const read = (name: string): string => (env[name.toLowerCase()] ?? env[name] ?? "").trim();
  if (isLoopback(url.hostname)) return null;
  const proxy = read(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || read("ALL_PROXY");
  if (proxy === "" || isExcluded(url, read("NO_PROXY"))) return null;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\./.test(host) || host.endsWith(".localhost");

/** `NO_PROXY`: hosts by comma or space; `example.com` and `.example.com` mean its subdomains too, `host:port` one port, `*` all. */
function isExcluded({ protocol, hostname, port }: Pick<URL, "protocol" | "hostname" | "port">, noProxy: string): boolean {
  const asked = port || (protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && only !== asked) return false;
      const host = name.replace(/^\*?\./, "");
      return hostname === host || hostname.endsWith(`.${host}`);
    });
}
