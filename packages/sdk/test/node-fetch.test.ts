import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFetch } from "../src/http/node-fetch.js";
import { proxyOf } from "../src/http/proxy-of.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Place {
  readonly url: string;
  readonly sockets: readonly Socket[];
}

async function serve(listener: RequestListener): Promise<Place> {
  const server = createServer(listener);
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const textOf = async (message: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const piece of message.setEncoding("utf8")) text += piece;
  return text;
};
const no = (): never => {
  throw new Error("the fallback was asked");
};
const fetch = nodeFetch({}, no);

describe("a request", () => {
  it("arrives as it was given, and its answer comes back whole", async () => {
    const seen: unknown[] = [];
    const { url } = await serve((request, response) => {
      void textOf(request).then((body) => {
        seen.push(request.method, request.url, request.headers["x-own"], request.headers["content-type"], body);
        response.writeHead(
          429,
          "Slow Down",
          [
            ["retry-after", "3"],
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ].flat(),
        );
        response.end("später, 😀");
      });
    });
    const headers = new Headers({ "x-own": "1", "content-type": "application/json" });
    const response = await fetch(`${url}/v1/x?y=1`, { method: "post", headers, body: '{"ü":1}' });
    expect(seen).toEqual(["POST", "/v1/x?y=1", "1", "application/json", '{"ü":1}']);
    expect(response).toMatchObject({ status: 429, statusText: "Slow Down", ok: false });
    expect([response.headers.get("retry-after"), response.headers.getSetCookie()]).toEqual(["3", ["a=1", "b=2"]]);
    expect(await response.text()).toBe("später, 😀");
  });

  it("uses the connection of the one before", async () => {
    const { url, sockets } = await serve((_request, response) => response.end("ok"));
    for (let count = 0; count < 5; count++) expect(await (await fetch(url)).text()).toBe("ok");
    expect(sockets).toHaveLength(1);
  });

  it("is sent once more when the kept connection was already closed", async () => {
    let isSecond = false;
    const { url, sockets } = await serve((request, response) => {
      if (isSecond && sockets.length === 1) request.socket.destroy();
      else response.end("ok");
    });
    await (await fetch(url)).text();
    isSecond = true;
    expect(await (await fetch(url)).text()).toBe("ok");
  });

  it("that nobody answers fails as the built-in one would", async () => {
    const { url } = await serve(no);
    await closing.splice(0)[0]?.();
    const error = await fetch(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "TypeError", message: "fetch failed", cause: { code: "ECONNREFUSED" } });
  });

  it.each([
    ["a stream as its body", "http://127.0.0.1:1", { method: "POST", body: new ReadableStream() }],
    ["a form as its body", "http://127.0.0.1:1", { method: "POST", body: new FormData() }],
    ["a data URL", "data:text/plain,x", {}],
    ["credentials in its URL", "http://me:secret@127.0.0.1:1", {}],
  ])("with %s is the fallback's", async (_what, url, init) => {
    const fallback = nodeFetch({}, async () => new Response("from the fallback"));
    expect(await (await fallback(url, init)).text()).toBe("from the fallback");
  });

  it("that is sent elsewhere is the fallback's", async () => {
    const { url } = await serve((_request, response) => void response.writeHead(307, { location: "/there" }).end());
    const fallback = nodeFetch({}, async () => new Response("from the fallback"));
    expect(await (await fallback(url, { method: "POST", body: "x" })).text()).toBe("from the fallback");
    expect((await fetch(url, { redirect: "manual" })).status).toBe(307);
  });
});

describe("a body", () => {
  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("that a gateway packed with %s is unpacked", async (encoding, pack) => {
    const { url } = await serve((_request, response) => void response.setHeader("content-encoding", encoding).end(pack("hello")));
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  it("comes piece by piece, as it is sent", async () => {
    let response: ServerResponse | undefined;
    const { url } = await serve((_request, open) => {
      response = open;
      open.write("one");
    });
    const reader = (await fetch(url)).body!.getReader();
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe("one");
    response!.write("two");
    expect(await next()).toBe("two");
    response!.end();
    expect((await reader.read()).done).toBe(true);
  });

  it("that breaks off is an error, not an end", async () => {
    const { url } = await serve((_request, response) => {
      response.write("half");
      setImmediate(() => response.destroy());
    });
    await expect((await fetch(url)).text()).rejects.toThrow("terminated");
  });

  it("holds a fast vendor back while nobody reads", async () => {
    const block = Buffer.alloc(256 * 1024);
    let written = 0;
    const { url } = await serve((_request, response) => {
      const write = (): void => {
        while (written < 4000 && response.write(block)) written += 1;
        if (written < 4000) response.once("drain", write);
      };
      write();
    });
    const response = await fetch(url);
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(written).toBeLessThan(200);
    await response.body!.cancel();
  });
});

describe("an abort", () => {
  const closed = async (sockets: readonly Socket[]): Promise<void> => {
    if (sockets[0]?.destroyed !== true) await once(sockets[0]!, "close");
  };

  it("before the request sends nothing", async () => {
    const { url, sockets } = await serve(no);
    await expect(fetch(url, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    expect(sockets).toHaveLength(0);
  });

  it("before the answer closes the connection and rejects with the reason", async () => {
    const stop = new AbortController();
    const { url, sockets } = await serve(() => stop.abort(new Error("stop")));
    await expect(fetch(url, { signal: stop.signal })).rejects.toThrow("stop");
    await closed(sockets);
  });

  it("within the answer closes the connection and fails the body with the reason", async () => {
    const stop = new AbortController();
    const { url, sockets } = await serve((_request, response) => void response.write("x"));
    const reader = (await fetch(url, { signal: stop.signal })).body!.getReader();
    await reader.read();
    stop.abort(new Error("stop"));
    await expect(reader.read()).rejects.toThrow("stop");
    await closed(sockets);
  });

  it("of the reader closes the connection", async () => {
    const { url, sockets } = await serve((_request, response) => void response.write("x"));
    await (await fetch(url)).body!.cancel();
    await closed(sockets);
  });
});

describe("a proxy", () => {
  it("is asked for the way when the environment names one", async () => {
    const asked: string[] = [];
    const target = await serve((_request, response) => response.end("through"));
    const { url } = await serve(no);
    const server = createServer(no).on("connect", (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url ?? "");
      const port = Number(new URL(target.url).port);
      const there = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        there.pipe(socket).pipe(there);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => new Promise((resolve) => server.close(() => resolve())));
    const through = nodeFetch({ HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, no);
    const response = await through(`http://vendor.example:80/`);
    expect([await response.text(), asked]).toEqual(["through", ["vendor.example:80"]]);
    expect(url).toContain("127.0.0.1");
  });

  it.each([
    ["https://api.example.com", {}, null],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    ["https://api.example.com", { https_proxy: "p:1", HTTPS_PROXY: "http://q:1" }, "http://p:1"],
    ["http://api.example.com", { HTTPS_PROXY: "http://p:1" }, null],
    ["http://api.example.com", { ALL_PROXY: "http://p:1" }, "http://p:1"],
    ["http://127.0.0.1:11434", { HTTP_PROXY: "http://p:1" }, null],
    ["http://localhost:1234", { HTTP_PROXY: "http://p:1" }, null],
    ["http://[::1]:1234", { HTTP_PROXY: "http://p:1" }, null],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "other.com, .example.com" }, null],
    ["https://example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com" }, null],
    ["https://anexample.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com" }, "http://p:1"],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com:8443" }, "http://p:1"],
    ["https://api.example.com:8443", { HTTPS_PROXY: "http://p:1", NO_PROXY: "example.com:8443" }, null],
    ["https://api.example.com", { HTTPS_PROXY: "http://p:1", no_proxy: "*" }, null],
  ])("for %s with %j is %s", (url, env, expected) => {
    expect(proxyOf(new URL(url), env)).toBe(expected);
  });
});
