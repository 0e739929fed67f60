import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import { MassgenError } from "@massgen/contracts";
import type { FastifyInstance } from "fastify";

/** The page of this server as files. */
export interface WebPage {
  /** Absolute. */
  readonly folder: string;
  /** What is asked for of it, `/` among them: open without a key, as there is nothing in it but the program. */
  readonly paths: ReadonlySet<string>;
}

/**
 * Scripts, styles and pictures come from this server alone and nothing is inline, so what a model wrote cannot run even
 * where it would get into the page. Frames are its own previews; blobs are files that were asked for with the key.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Of the frames that show HTML of models: a page without an origin and without a network, which gets its content by message.
 * `still` runs nothing but the script that takes the message.
 */
const framePolicy = (scripts: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");

/** Of the frame that draws diagrams: what it runs and how it looks comes from this server, what it draws comes by message. */
const DIAGRAM_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The policy of a file, by its path below the folder. */
function policyOf(path: string, content: () => string): string {
  if (path === join("preview", "diagram.html")) return DIAGRAM_POLICY;
  if (path === join("preview", "lively.html")) return framePolicy("'unsafe-inline'");
  if (path !== join("preview", "still.html")) return POLICY;
  const script = /<script>([\s\S]*?)<\/script>/.exec(content())?.[1] ?? "";
  return framePolicy(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
}

/** @throws MassgenError `CONFIG_INVALID` when there is no page in the folder */
export async function readPage(web: URL | string): Promise<WebPage> {
  const folder = typeof web === "string" ? web : fileURLToPath(web);
  if (!existsSync(join(folder, "index.html")))
    throw new MassgenError("CONFIG_INVALID", `There is no built page in ${folder}.`, {
      exitCode: 1,
      hint: "In a checkout: pnpm build. In an installation: install massgen again.",
    });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => `/${[...relative(folder, parentPath).split(sep), name].filter(Boolean).join("/")}`);
  return { folder, paths: new Set(["/", ...paths]) };
}

/** Serves the page. Its scripts have their content in their name and are kept by browsers; the page itself never is. */
export async function webRoutes(app: FastifyInstance, { folder }: WebPage): Promise<void> {
  const policies = new Map<string, string>();
  const policyFor = (path: string): string => {
    const known = policies.get(path);
    if (known !== undefined) return known;
    const policy = policyOf(relative(folder, path), () => readFileSync(path, "utf8"));
    policies.set(path, policy);
    return policy;
  };
  await app.register(fastifyStatic, {
    root: folder,
    // A route for each file that is there now: no path leads anywhere else.
    wildcard: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const isNamedByContent = relative(folder, path).startsWith(`assets${sep}`);
      reply.header("cache-control", isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache");
      reply.header("content-security-policy", policyFor(path));
      reply.header("x-content-type-options", "nosniff");
      reply.header("referrer-policy", "no-referrer");
      reply.header("cross-origin-opener-policy", "same-origin");
    },
  });
}
