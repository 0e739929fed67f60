import { securityEnvKeys, securityKeys } from "./keys/backend-mcp.js";
import { keyReader, readMap } from "./read-key.js";
import type { MapNode } from "./tree.js";

export type SecurityLevel = "strict" | "moderate" | "permissive";

/** What the config permits a server; rules: docs/spec/config.md 8. */
export interface McpSecurity {
  readonly level: SecurityLevel;
  readonly allowLocalhost: boolean;
  readonly allowPrivateIps: boolean;
  readonly allowInsecureHttp: boolean;
  readonly allowedHostnames: readonly string[];
  readonly allowedExecutables: readonly string[];
  readonly env: {
    readonly level: SecurityLevel;
    readonly mode: "denylist" | "allowlist";
    readonly allowed: readonly string[];
    readonly denied: readonly string[];
  };
}

const LEVELS: readonly string[] = ["strict", "moderate", "permissive"] satisfies readonly SecurityLevel[];

/** What is no level means the strictest. */
export const isLevel = (word: string): word is SecurityLevel => LEVELS.includes(word);
const levelOf = (word: string | undefined, otherwise: SecurityLevel): SecurityLevel =>
  word === undefined ? otherwise : isLevel(word) ? word : "strict";

export function readSecurity(server: MapNode): McpSecurity {
  const map = readMap(server, "security");
  const read = keyReader(map, securityKeys);
  const readEnv = keyReader(readMap(map, "env"), securityEnvKeys);
  const level = levelOf(read("level"), "strict");
  return {
    level,
    allowLocalhost: read("allow_localhost") ?? false,
    allowPrivateIps: read("allow_private_ips") ?? false,
    allowInsecureHttp: read("allow_insecure_http") ?? false,
    allowedHostnames: (read("allowed_hostnames") ?? []).map((host) => host.toLowerCase()),
    allowedExecutables: read("allowed_executables") ?? [],
    env: {
      level: levelOf(readEnv("level"), level),
      mode: readEnv("mode") ?? "denylist",
      allowed: readEnv("allowed_vars") ?? [],
      denied: readEnv("denied_vars") ?? [],
    },
  };
}

const STRICT =
  "python python3 py uv uvx pipx pip pip3 node npm npx yarn pnpm bun deno java ruby go rust cargo fastmcp sh bash zsh fish powershell pwsh cmd";
const EXECUTABLES: Readonly<Record<SecurityLevel, ReadonlySet<string>>> = {
  strict: new Set(STRICT.split(" ")),
  moderate: new Set(`${STRICT} git nodejs`.split(" ")),
  permissive: new Set(`${STRICT} git nodejs curl wget`.split(" ")),
};
const SHELLS: ReadonlySet<string> = new Set("sh bash zsh fish powershell pwsh cmd".split(" "));
/** A text to be run in place of a file. */
const RUNS_TEXT = /^(?:-[a-z]*c|-command|-encodedcommand|\/c|\/k)$/i;

/** Why a program is not started at this level; `null` for one that is. */
export function executableFault(argv: readonly string[], { level, allowedExecutables }: McpSecurity): string | null {
  const [program = "", ...args] = argv;
  const name = (program.split(/[/\\]/).at(-1) ?? "").replace(/\.(?:exe|bat|cmd|ps1)$/i, "");
  const isKnown = EXECUTABLES[level].has(name) || /^python3\.\d+$/.test(name);
  if (!isKnown && !allowedExecutables.includes(name) && !allowedExecutables.includes(program)) return `is not allowed at level ${level}`;
  return level === "strict" && SHELLS.has(name) && args.some((arg) => RUNS_TEXT.test(arg))
    ? "with a command as text needs level moderate"
    : null;
}

const NEVER: ReadonlySet<string> = new Set(
  "LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONPATH PWD OLDPWD LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV PYTHONSTARTUP".split(" "),
);
const NOT_STRICT: ReadonlySet<string> = new Set("PATH HOME USER USERNAME SHELL".split(" "));

/** Whether a server may be given a variable. */
export function mayHaveVariable(name: string, { env }: McpSecurity): boolean {
  if (env.denied.includes(name)) return false;
  if (env.mode === "allowlist") return env.allowed.includes(name) && !NEVER.has(name);
  if (env.allowed.includes(name)) return !NEVER.has(name);
  return !NEVER.has(name) && !(env.level === "strict" && NOT_STRICT.has(name));
}

const PORTS: ReadonlySet<string> = new Set("22 23 25 53 135 139 445 1433 1521 3306 3389 5432 6379".split(" "));

export type UrlFault = { readonly is: "url" | "host"; readonly why: string; readonly wayOut: string };

/** By the text of an address alone; what its name resolves to is looked at when it is connected to. */
export function urlFault(written: string, security: McpSecurity): UrlFault | null {
  const url = written.length <= 2048 && URL.canParse(written) ? new URL(written) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return {
      is: "url",
      why: "must be an http(s) address of at most 2048 characters",
      wayOut: "For example: url: https://mcp.example.com/mcp",
    };
  if (PORTS.has(url.port)) return { is: "host", why: `uses port ${url.port}, which is no port of such servers`, wayOut: "" };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (security.allowedHostnames.includes(host)) return null;
  const isHere = isLoopback(host);
  if (isHere && !security.allowLocalhost)
    return { is: "host", why: "is on this machine", wayOut: "Add security: {allow_localhost: true} if that is meant." };
  if (isPrivate(host) && !security.allowPrivateIps)
    return { is: "host", why: "is in a private network", wayOut: "Add security: {allow_private_ips: true} if that is meant." };
  if (url.protocol === "http:" && !isHere && !security.allowInsecureHttp)
    return { is: "host", why: "is not encrypted", wayOut: "Use https, or add security: {allow_insecure_http: true}." };
  return null;
}

/** The parser has written every kind of IPv4 address in its plain form; IPv4 inside IPv6 has its own. */
const isLoopback = (host: string): boolean =>
  /(?:^|\.)localhost\.?$/.test(host) ||
  /^127\./.test(host) ||
  host === "::1" ||
  /^::ffff:7f/.test(host) ||
  host === "0.0.0.0" ||
  host === "::";
const isPrivate = (host: string): boolean =>
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(host) ||
  /^f[cd][0-9a-f]{0,2}:|^fe[89ab][0-9a-f]?:|^::ffff:(?:a[0-9a-f]{2}:|c0a8:|a9fe:|ac1[0-9a-f]:)/.test(host);
