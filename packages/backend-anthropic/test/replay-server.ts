import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brokenRules } from "./vendor-rules.js";

/** One scripted answer of the vendor. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** `recording`: a file of `recordings/`, sent byte for byte. */
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

interface SeenRequest {
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

/** A vendor on loopback that plays a script to the byte. */
export async function openReplayServer(...replies: readonly Reply[]): Promise<ReplayServer> {
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
    const rules = seen.body === null ? [] : brokenRules(seen.body);
    broken.push(...rules);
    const reply =
      rules.length > 0
        ? { status: 400, json: { type: "error", error: { message: rules.join("; "), type: "invalid_request_error" } } }
        : script[Math.min(position++, script.length - 1)];
    if (reply !== undefined) await play(response, reply);
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

export function recording(name: string): Buffer {
  return readFileSync(new URL(`../recordings/${name}`, import.meta.url));
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const raw = Buffer.concat(pieces).toString("utf8");
  return { method: request.method ?? "", url: request.url ?? "", headers: request.headers, raw, body: raw === "" ? null : JSON.parse(raw) };
}

async function play(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.never === true) return;
  const [contentType, body] = bodyOf(reply);
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

function bodyOf(reply: Reply): readonly [string, Buffer] {
  if (reply.recording !== undefined)
    return [reply.recording.endsWith(".html") ? "text/html; charset=utf-8" : "text/event-stream", recording(reply.recording)];
  if (reply.json !== undefined) return ["application/json", Buffer.from(JSON.stringify(reply.json))];
  return ["text/event-stream", Buffer.from(reply.text ?? "")];
}
