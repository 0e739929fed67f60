import type { ServerResponse } from "node:http";

/** Milliseconds between the comments that keep proxies from closing a quiet stream. */
const PING_MS = 15_000;

/** Server-sent events on one open reply. */
export interface SseStream {
  /** Resolves when the client can take more, or is gone. */
  send(event: { readonly id?: string | number; readonly event?: string; readonly data: string }): Promise<void>;
  /** Idempotent. */
  end(): void;
}

/** Takes over a reply; from now on only `send` and `end` write to it. */
export function openSse(raw: ServerResponse, headers: Readonly<Record<string, string>> = {}): SseStream {
  raw.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    connection: "keep-alive",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  const ping = setInterval(() => raw.write(": ping\n\n"), PING_MS);
  ping.unref();
  raw.once("close", () => clearInterval(ping));
  return {
    async send({ id, event, data }) {
      if (raw.destroyed || raw.writableEnded) return;
      const name = event === undefined ? "" : `event: ${event}\n`;
      const number = id === undefined ? "" : `id: ${id}\n`;
      if (!raw.write(`${number}${name}data: ${data}\n\n`)) await drained(raw);
    },
    end() {
      clearInterval(ping);
      if (!raw.writableEnded) raw.end();
    },
  };
}

const drained = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      raw.off("drain", done);
      raw.off("close", done);
      resolve();
    };
    raw.on("drain", done);
    raw.on("close", done);
    if (raw.destroyed) done();
  });
