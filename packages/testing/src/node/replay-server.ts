import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** One scripted answer of the vendor. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A file of the folder of recordings, sent byte for byte; `.html` as a page, everything else as an event stream. */
  readonly recording?: string;
  readonly json?: unknown;
  readonly text?: string;
  /** Where the body is split into separate writes. */
  readonly cutAt?: readonly number[];
  readonly cutEvery?: number;
  /** Called between two writes; what it waits for holds up the next. */
  readonly between?: (written: number) => Promise<void>;
  /** After the last byte: finish the body, break the connection, or stay silent. Default `close`. */
  readonly end?: "close" | "reset" | "hang";
  /** Take the request and never answer. */
  readonly never?: boolean;
}

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent.
  readonly body: any;
}

export interface ReplayServer {
  /** `http://127.0.0.1:<port>`, without path. */
  readonly origin: string;
  /** `origin` and the base path of the vendor. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Rules of the vendor that requests broke; a broken one also gets status 400. */
  readonly broken: readonly string[];
  /** The replies to come; the last is given again and again. */
  script(...replies: readonly Reply[]): void;
  /** Resolves when the client has hung up on a request that was not answered to its end. */
  readonly clientLeft: Promise<void>;
  close(): Promise<void>;
}

export interface ReplayVendor {
  /** The folder of the recordings, with a slash at its end. */
  readonly recordings: URL;
  /** What stands before the paths of the API, `/v1`; default none. */
  readonly basePath?: string;
  /** The rules of the vendor that a request body breaks. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent.
  brokenRules(body: any): readonly string[];
  /** The vendor's error object for a request that broke them. */
  refusal(message: string): unknown;
}

/**
 * A vendor on loopback that plays a script to the byte: recordings cut anywhere, pauses, resets, silence. For the tests of
 * adapters; the caller closes it.
 */
export async function openReplay(vendor: ReplayVendor, replies: readonly Reply[]): Promise<ReplayServer> {
  const requests: SeenRequest[] = [];
  const broken: string[] = [];
  let script = replies;
  let position = 0;
  let noteLeft = (): void => {};
  const clientLeft = new Promise<void>((resolve) => {
    noteLeft = resolve;
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    requests.push(seen);
    response.on("close", () => response.writableFinished || noteLeft());
    const rules = seen.body === null ? [] : vendor.brokenRules(seen.body);
    broken.push(...rules);
    const reply =
      rules.length > 0 ? { status: 400, json: vendor.refusal(rules.join("; ")) } : script[Math.min(position++, script.length - 1)];
    if (reply !== undefined) await play(response, reply, vendor.recordings);
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}${vendor.basePath ?? ""}`,
    requests,
    broken,
    clientLeft,
    script(...next) {
      script = next;
      position = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const raw = Buffer.concat(pieces).toString("utf8");
  return { method: request.method ?? "", url: request.url ?? "", headers: request.headers, raw, body: raw === "" ? null : JSON.parse(raw) };
}

async function play(response: ServerResponse, reply: Reply, recordings: URL): Promise<void> {
  if (reply.never === true) return;
  const [contentType, body] = bodyOf(reply, recordings);
  response.writeHead(reply.status ?? 200, { "content-type": contentType, ...reply.headers });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  const cuts =
    reply.cutEvery === undefined
      ? (reply.cutAt ?? [])
      : Array.from({ length: Math.ceil(body.length / reply.cutEvery) - 1 }, (_, index) => (index + 1) * reply.cutEvery!);
  let from = 0;
  for (const to of [...cuts, body.length]) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(body.subarray(from, to), resolve));
    from = to;
    if (to < body.length) await (reply.between?.(to) ?? nextTurn());
  }
  if (reply.end === "hang") return;
  if (reply.end === "reset") {
    // One turn, so that the bytes leave before the connection breaks.
    await nextTurn();
    response.socket?.resetAndDestroy();
    return;
  }
  response.end();
}

function bodyOf(reply: Reply, recordings: URL): readonly [string, Buffer] {
  if (reply.recording !== undefined)
    return [
      reply.recording.endsWith(".html") ? "text/html; charset=utf-8" : "text/event-stream",
      readFileSync(new URL(reply.recording, recordings)),
    ];
  if (reply.json !== undefined) return ["application/json", Buffer.from(JSON.stringify(reply.json))];
  return ["text/event-stream", Buffer.from(reply.text ?? "")];
}
