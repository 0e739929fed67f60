import { createHash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { McpServer as ServerSide } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { expect, it, onTestFinished } from "vitest";
import { createTokenStore, logIn, type McpServer, type McpTransport } from "../src/index.js";
import { serverOf, temporaryFolder, textOf, tryHub } from "./try-hub.js";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;

/** An HTTP server of this machine; gives its address. */
async function listen(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const settingOf = (url: string, networks: readonly ("loopback" | "private")[] = ["loopback"]): Extract<McpTransport, { kind: "http" }> => ({
  kind: "http",
  url,
  headers: {},
  readTimeoutMs: 10_000,
  networks,
  trustedHosts: [],
});
const remote = (url: string, more: Partial<McpServer> = {}): McpServer =>
  serverOf({ name: "desk", transport: settingOf(url), ...more }, []);

function json(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

/** What a server with one tool says to a message. */
function speak(body: string, text = "desk"): object | null {
  const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } };
  if (id === undefined) return null;
  const result =
    method === "initialize"
      ? { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "desk", version: "1" } }
      : method === "tools/list"
        ? { tools: [{ name: "lookup", inputSchema: { type: "object" } }] }
        : { content: [{ type: "text", text }] };
  return { jsonrpc: "2.0", id, result };
}

function answerMessage(request: IncomingMessage, response: ServerResponse, body: string, text?: string): void {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const said = speak(body, text);
  if (said === null) response.writeHead(202).end();
  else json(response, 200, said);
}

it("a server of the first days, which refuses the present protocol, is spoken to in its own", async () => {
  let transport: SSEServerTransport | null = null;
  const base = await listen(async (request, response, body) => {
    if (request.method === "GET" && request.url === "/sse") {
      transport = new SSEServerTransport("/messages", response);
      const server = new ServerSide({ name: "old", version: "1" });
      server.registerTool("lookup", {}, () => ({ content: [{ type: "text", text: "from of old" }] }));
      await server.connect(transport as never);
    } else if (request.url?.startsWith("/messages") === true) await transport?.handlePostMessage(request, response, JSON.parse(body));
    else response.writeHead(405).end();
  });
  const hub = await tryHub([remote(`${base}/sse`)]);
  expect(hub.reports()).toMatchObject([{ state: "ready", tools: 1 }]);
  expect(textOf(await hub.call("mcp__desk__lookup"))).toBe("from of old");
});

it("what a remote server does wrong is said in one line", async () => {
  const [refusing, silent, redirecting] = await Promise.all([
    listen((_, response) => json(response, 403, { error: "no" })),
    listen(() => {}),
    listen((_, response) => void response.writeHead(307, { location: "http://169.254.169.254/" }).end()),
  ]);
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const closed = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  await new Promise((resolve) => gone.close(resolve));
  const hub = await tryHub([
    remote(`${refusing}/mcp`, { name: "refusing" }),
    remote(`${silent}/mcp`, { name: "silent", connectTimeoutMs: 200 }),
    remote(`${redirecting}/mcp`, { name: "redirecting" }),
    remote(`${closed}/mcp`, { name: "absent" }),
    serverOf({ name: "here", transport: settingOf(`${refusing}/mcp`, []) }, []),
  ]);
  expect(Object.fromEntries(hub.reports().map(({ name, error }) => [name, error]))).toEqual({
    refusing: 'it answered with HTTP 403: {"error":"no"}',
    silent: "it did not answer within 0.2 s (connect_timeout)",
    redirecting: expect.stringMatching(/^it answered with HTTP 307/),
    absent: "it cannot be reached (ECONNREFUSED)",
    here: "127.0.0.1 is not connected to: it is this machine; set security.allow_localhost if that is meant",
  });
});

it("a server that asks for a pause gets it; one that forgot the session is asked anew, and the call is made", async () => {
  let pauses = 0;
  let isForgotten = true;
  const base = await listen((request, response, body) => {
    const { method } = JSON.parse(body || "{}") as { method?: string };
    if (method === "tools/list" && pauses++ === 0) return void response.writeHead(429, { "retry-after": "0" }).end();
    if (method === "tools/call" && isForgotten) {
      isForgotten = false;
      return json(response, 404, { error: "no such session" });
    }
    answerMessage(request, response, body);
  });
  const hub = await tryHub([remote(`${base}/mcp`)]);
  expect(textOf(await hub.call("mcp__desk__lookup"))).toBe("desk");
  expect([pauses, isForgotten]).toEqual([3, false]);
});

it("an answer of more than 10 MiB ends the connection, with the reason", async () => {
  const base = await listen((request, response, body) => answerMessage(request, response, body, "x".repeat(11 * 1024 * 1024)));
  const hub = await tryHub([remote(`${base}/mcp`)]);
  expect(textOf(await hub.call("mcp__desk__lookup"))).toContain("it sent a message of more than 10 MiB; the connection was closed");
});

/** An authorisation server and what it protects. Tokens are `token-1`, `token-2`, …; only the newest is good. */
async function protectedServer() {
  let tokens = 0;
  let challenge = "";
  const grants: string[] = [];
  const base: string = await listen((request, response, body) => {
    const url = new URL(request.url ?? "/", base);
    if (url.pathname === "/.well-known/oauth-protected-resource/mcp")
      return json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] });
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return json(response, 200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    if (url.pathname === "/register") return json(response, 201, { ...(JSON.parse(body) as object), client_id: randomUUID() });
    if (url.pathname === "/authorize") {
      challenge = url.searchParams.get("code_challenge") ?? "";
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "code-1", state: url.searchParams.get("state") ?? "" }).toString();
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/token") {
      const given = new URLSearchParams(body);
      grants.push(given.get("grant_type") ?? "");
      const proof = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url");
      const isGood =
        given.get("grant_type") === "refresh_token"
          ? given.get("refresh_token") === "refresh"
          : proof === challenge && given.get("code") === "code-1";
      if (!isGood) return json(response, 400, { error: "invalid_grant" });
      tokens += 1;
      return json(response, 200, { access_token: `token-${tokens}`, refresh_token: "refresh", token_type: "Bearer", expires_in: 3600 });
    }
    if (url.pathname !== "/mcp") return void response.writeHead(404).end();
    if (request.headers.authorization === `Bearer token-${tokens}` && tokens > 0) return answerMessage(request, response, body);
    json(response, 401, {}, { "www-authenticate": `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"` });
  });
  return {
    url: `${base}/mcp`,
    grants,
    expire: (): void => {
      tokens += 1;
    },
  };
}

it("a login is made by the person, kept for its owner alone, used and renewed in runs; without one the run says how to make it", async () => {
  const { url, grants, expire } = await protectedServer();
  const file = join(await temporaryFolder(), "auth", "mcp_auth.json");
  const store = createTokenStore(file);
  const without = await tryHub([remote(url)], { auth: store });
  expect(without.reports()).toMatchObject([
    { state: "failed", error: "it wants a login (HTTP 401): 'massgen mcp login' makes one, or set a header" },
  ]);

  const pages: string[] = [];
  await logIn({
    setting: settingOf(url),
    store,
    fetch,
    signal: new AbortController().signal,
    // The person agrees; somebody else's visit with another state is nobody's.
    visit: async (page) => {
      pages.push(page.origin);
      const back = new URL(page.searchParams.get("redirect_uri") ?? "");
      expect(back.hostname).toBe("127.0.0.1");
      expect((await fetch(`${back.href}?code=stolen&state=guessed`)).status).toBe(404);
      expect((await fetch(page)).status).toBe(200);
    },
  });
  expect(pages).toEqual([new URL(url).origin]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const hub = await tryHub([remote(url)], { auth: createTokenStore(file) });
  expect(textOf(await hub.call("mcp__desk__lookup"))).toBe("desk");
  expire();
  expect(textOf(await hub.call("mcp__desk__lookup"))).toBe("desk");
  expect(grants).toEqual(["authorization_code", "refresh_token"]);
});

it("a server that wants no login is not logged in to", async () => {
  const base = await listen((request, response, body) => answerMessage(request, response, body));
  const store = createTokenStore(join(await temporaryFolder(), "auth.json"));
  const asked = logIn({ setting: settingOf(`${base}/mcp`), store, fetch, signal: new AbortController().signal, visit: async () => {} });
  await expect(asked).rejects.toThrow("The server wants no login: it answered with HTTP 200.");
});
