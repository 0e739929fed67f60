import { createServer, request, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A reverse proxy in front of a server, below a path of its own, whose line can be cut. */
export interface Line {
  /** Ends with `/`. */
  readonly url: string;
  /** Breaks every connection; none comes through until it is mended. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

export async function openProxy(target: string, prefix: string): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((incoming, outgoing) => {
    if (isCut || incoming.url?.startsWith(prefix) !== true) return void incoming.socket.destroy();
    const onward = request(
      `${target}/${incoming.url.slice(prefix.length)}`,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.once("error", () => outgoing.destroy());
    outgoing.once("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        breakAll();
        server.close(() => resolve());
      }),
  };
}
