import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PacedVendor {
  readonly baseUrl: string;
  /** Answers that are being written just now. */
  readonly streaming: () => number;
  /** Ends those that wait for it. */
  readonly letGo: () => void;
  readonly close: () => Promise<void>;
}

export interface Pace {
  readonly tokens: number;
  readonly everyMs: number;
  /** Begins each token with the time it was sent, as `@<milliseconds>@`, by the clock of this process. */
  readonly stamped?: boolean;
  /** Says one token and then nothing until it is let go. */
  readonly held?: boolean;
}

/** A vendor of Chat Completions in this process, so that what it sends and what a client gets are told by one clock. */
export async function openPacedVendor(pace: Pace): Promise<PacedVendor> {
  const open = new Map<ServerResponse, () => void>();
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = (delta: object, finish: string | null = null): void => {
        const data = {
          id: "c",
          object: "chat.completion.chunk",
          created: 0,
          model: "paced",
          choices: [{ index: 0, delta, finish_reason: finish }],
        };
        response.write(`data: ${JSON.stringify(data)}\n\n`);
      };
      chunk({ role: "assistant", content: "" });
      const startedMs = performance.now();
      let sent = 0;
      const end = (): void => {
        clearInterval(timer);
        open.delete(response);
        chunk({}, "stop");
        response.end(
          `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "paced", choices: [], usage: { prompt_tokens: 10, completion_tokens: sent, total_tokens: 10 + sent } })}\n\ndata: [DONE]\n\n`,
        );
      };
      const due = (): void => {
        const now = performance.now();
        const until = pace.held === true ? 1 : Math.min(pace.tokens, 1 + Math.floor((now - startedMs) / pace.everyMs));
        while (sent < until) chunk({ content: `${pace.stamped === true ? `@${now.toFixed(3)}@` : ""}token ${sent++} ` });
        if (pace.held !== true && sent >= pace.tokens) end();
      };
      const timer = setInterval(due, Math.max(1, Math.min(10, pace.everyMs)));
      open.set(response, end);
      response.once("close", () => {
        clearInterval(timer);
        open.delete(response);
      });
      due();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    streaming: () => open.size,
    letGo() {
      for (const end of [...open.values()]) end();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
