import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedTeam } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, hashKey, keyRing } from "../src/index.js";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function withPage(change: Parameters<typeof serve>[2] = {}): Promise<Served> {
  const around = await mkdtemp(join(tmpdir(), "massgen-page-"));
  folders.push(around);
  await writeFile(join(around, "secret.txt"), "a secret");
  const folder = join(around, "page");
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), "<!doctype html><title>MassGen</title>");
  await writeFile(join(folder, "assets/index-1a2b.js"), "export {};");
  await mkdir(join(folder, "preview"));
  for (const name of ["still", "lively"]) await writeFile(join(folder, `preview/${name}.html`), "<script>take()</script>");
  const served = await serve(scriptedTeam(), ["ada"], { web: folder, ...change });
  open.push(served);
  return served;
}

describe("the page of a server", () => {
  it("stands at / beside the API, allows nothing but itself, and is never kept; its scripts are", async () => {
    const { url } = await withPage();
    const page = await fetch(`${url}/`);
    expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const script = await fetch(`${url}/assets/index-1a2b.js`);
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect((await fetch(`${url}/v1/models`)).status).toBe(200);
  });

  it("is open without a key; what it asks for is not", async () => {
    const { url } = await withPage({ keys: keyRing([{ name: "me", hash: hashKey("let-me-in") }]) });
    const statuses = await Promise.all(
      ["/", "/index.html", "/assets/index-1a2b.js", "/?x=1", "/api/runs", "/assets/other.js", "/%69ndex.html", "//index.html"].map(
        async (path) => (await fetch(`${url}${path}`)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 401, 401, 401, 401]);
  });

  it.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/assets/index-1a2b.js/../../../secret.txt",
    "/%00../secret.txt",
    "/.//..//secret.txt",
  ])("gives no file from elsewhere: %s", async (path) => {
    const { server } = await withPage();
    const { statusCode, body } = await server.app.inject({ method: "GET", url: path });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(body).not.toContain("a secret");
  });

  it("answers only to the names of this machine where no key is asked for", async () => {
    const { server } = await withPage({ allowedHosts: ["127.0.0.1"] });
    const { statusCode } = await server.app.inject({ method: "GET", url: "/", headers: { host: "evil.example" } });
    expect(statusCode).toBe(403);
  });

  it("refuses a folder without a page, and says what to do", async () => {
    const empty = await mkdtemp(join(tmpdir(), "massgen-page-"));
    folders.push(empty);
    for (const web of [empty, join(empty, "no-such-folder")])
      await expect(createServer({ ...OPTIONS, web })).rejects.toMatchObject({ hint: expect.stringContaining("pnpm build") });
  });

  it("gives frames for previews a policy of their own: no origin, no network, and without being asked no script", async () => {
    const { url } = await withPage();
    const policies = await Promise.all(
      ["still", "lively"].map(async (name) => (await fetch(`${url}/preview/${name}.html`)).headers.get("content-security-policy") ?? ""),
    );
    for (const policy of policies) {
      expect(policy).toContain("sandbox allow-scripts; default-src 'none'");
      expect(policy).not.toMatch(/connect-src|https?:|allow-same-origin|script-src 'self'/);
    }
    expect(policies[0]).toMatch(/script-src 'sha256-[A-Za-z0-9+/]{43}='/);
    expect(policies[1]).toContain("script-src 'unsafe-inline'");
  });
});

const OPTIONS: Parameters<typeof createServer>[0] = {
  cwd: tmpdir(),
  home: tmpdir(),
  env: {},
  examplesDir: null,
  config: null,
  defaultModel: null,
  keys: null,
  maxConcurrent: 1,
  requestsPerMinute: null,
  corsOrigins: [],
  allowedHosts: null,
  allowAnyPath: false,
  keepLogs: false,
  version: "1.0.0",
  log: null,
};
