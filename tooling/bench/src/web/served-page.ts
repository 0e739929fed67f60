import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunEvent } from "@massgen/contracts";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL("../../../../apps/web/page/", import.meta.url));
const FOLD_PAGE = "<!doctype html><title>fold</title><script type=module src=fold.js></script>";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Events as the server sends them. */
export const asEventStream = (event: RunEvent): string =>
  "seq" in event
    ? `id: ${event.seq}\nevent: record\ndata: ${JSON.stringify(event)}\n\n`
    : `event: delta\ndata: ${JSON.stringify(event)}\n\n`;

export interface ServedPage {
  readonly url: string;
  /** Closes the connections too. */
  readonly close: () => Promise<void>;
}

/**
 * The built page over a run API that costs nothing: its one run has `stream` write its events. Beside it `/fold.html`, which
 * reads the same events and folds them, and does nothing else.
 */
export async function servePage(stream: (response: ServerResponse) => void): Promise<ServedPage> {
  const fold = await bundleFold();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    if (path === "/api/runs") return void response.setHeader("content-type", "application/json").end('{"runs":[],"total":0}');
    if (path === "/v1/models") return void response.setHeader("content-type", "application/json").end('{"data":[]}');
    if (path.endsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return stream(response);
    }
    if (path === "/fold.html") return void response.setHeader("content-type", "text/html").end(FOLD_PAGE);
    if (path === "/fold.js") return void response.setHeader("content-type", "text/javascript").end(fold);
    void sendFile(path === "/" ? "/index.html" : path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  try {
    const content = await readFile(join(PAGE, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

/** The same client and the same fold as in the page, without a page. */
async function bundleFold(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createClient } from "@massgen/client";
        import { emptyLiveView, foldLive } from "@massgen/views";
        let live = emptyLiveView;
        for await (const event of createClient({ baseUrl: location.origin }).watch("bench")) live = foldLive(live, event);
        if (live.view.lastSeq === 0) throw new Error("there was nothing to fold");
        globalThis.doneMs = performance.now();`,
      resolveDir: fileURLToPath(new URL("../../", import.meta.url)),
    },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: ["@massgen/source", "browser"],
  });
  return outputFiles[0]!.contents;
}
