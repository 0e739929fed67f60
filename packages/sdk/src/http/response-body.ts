import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Pieces that wait for a reader before the vendor is made to wait. */
const PIECES_AHEAD = 64;

/**
 * The body of a response as a web stream: a piece per packet, as it comes. A reader that falls behind holds the vendor
 * back; cancelling it, or aborting `signal`, closes the connection.
 */
export function bodyOf(message: IncomingMessage, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  const source = decoded(message);
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false;
        const over = (settle: () => void): void => {
          if (isOver) return;
          isOver = true;
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const fail = (error: unknown): void => over(() => controller.error(error));
        const onAbort = (): void => {
          fail(signal?.reason);
          message.destroy();
        };
        stop = () => {
          over(() => {});
          message.destroy();
        };
        source.on("data", (piece: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(piece);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        source.once("end", () => over(() => controller.close()));
        source.on("error", (cause) => fail(new TypeError("terminated", { cause })));
        message.on("error", (cause) => fail(new TypeError("terminated", { cause })));
        // A connection that closes before the end is told by `aborted` in `complete` alone.
        message.once("close", () => {
          if (!message.complete) fail(new TypeError("terminated", { cause: new Error("other side closed") }));
        });
        if (signal?.aborted) onAbort();
        else signal?.addEventListener("abort", onAbort, { once: true });
      },
      pull: () => {
        source.resume();
      },
      cancel: () => stop(),
    },
    { highWaterMark: PIECES_AHEAD },
  );
}

/** We ask for no encoding; gateways between us and the vendor may use one all the same. */
function decoded(message: IncomingMessage): Readable {
  switch (message.headers["content-encoding"]?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return message.pipe(createGunzip());
    case "deflate":
      return message.pipe(createInflate());
    case "br":
      return message.pipe(createBrotliDecompress());
    default:
      return message;
  }
}
