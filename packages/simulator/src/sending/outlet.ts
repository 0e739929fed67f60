import type { ServerResponse } from "node:http";
import { monotonicMs, type OpenEntry } from "../ledger.js";

/** The way out for one reply: writes, keeps the ledger entry, waits. */
export interface Outlet {
  /** Resolves `afterMs` (scaled) after the first call of this method; to false when the client has left by then. */
  due(afterMs: number): Promise<boolean>;
  /** Goes out with what is sent next. */
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** Sends the head alone, with nothing behind it. */
  flushHead(): void;
  write(data: string | Buffer, tokens: number): void;
  /** The last write. Without an earlier one, head and body leave as one buffer, with a content length. */
  end(data: string, tokens: number): void;
  /** Breaks the connection once everything written has left. */
  breakOff(): void;
}

export interface OutletOptions {
  readonly requestId: string;
  readonly timeScale: number;
}

export function openOutlet(response: ServerResponse, entry: OpenEntry, { requestId, timeScale }: OutletOptions): Outlet {
  let pendingHeaders: Record<string, string> | null = null;
  let begunAtMs: number | null = null;
  let isBroken = false;
  response.once("close", () => {
    entry.clientLeft = !response.writableFinished && !isBroken;
  });
  const sendHead = (contentLength: number | null): void => {
    if (pendingHeaders === null) return;
    // Without a length Node would send chunks, each of them several buffers.
    if (contentLength !== null) pendingHeaders["content-length"] ??= String(contentLength);
    response.writeHead(entry.status ?? 200, pendingHeaders);
    pendingHeaders = null;
  };
  const note = (tokens: number): void => {
    entry.lastByteAtMs = monotonicMs();
    entry.firstByteAtMs ??= entry.lastByteAtMs;
    entry.outputTokens += tokens;
  };
  return {
    async due(afterMs) {
      begunAtMs ??= monotonicMs();
      await sleepUntil(begunAtMs + afterMs * timeScale, response);
      return !response.destroyed;
    },
    head(status, headers) {
      entry.status = status;
      pendingHeaders = { "x-request-id": requestId, ...headers };
    },
    flushHead() {
      sendHead(null);
      response.flushHeaders();
      note(0);
    },
    write(data, tokens) {
      sendHead(null);
      response.write(data);
      note(tokens);
    },
    end(data, tokens) {
      sendHead(Buffer.byteLength(data));
      response.end(data);
      note(tokens);
    },
    breakOff() {
      isBroken = true;
      // An empty write is called back after those before it; destroying at once would throw them away.
      response.write("", () => response.socket?.destroy());
    },
  };
}

/** Resolves at `atMs`, or when the connection closes. Timers are only as fine as a millisecond: never early, up to one late. */
function sleepUntil(atMs: number, response: ServerResponse): Promise<void> | void {
  const waitMs = atMs - monotonicMs();
  if (waitMs <= 0 || response.destroyed) return;
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      response.off("close", wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.ceil(waitMs));
    response.once("close", wake);
  });
}
