/** A pipe of `node:http`: what stands between a client and a vendor without looking at anything. */
export const pipeScript = (vendor: string): string => `
import { Agent, createServer, request } from "node:http";
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, host: ${JSON.stringify(new URL(vendor).host)} };
  const url = ${JSON.stringify(vendor)} + incoming.url.replace(/^\\/v1/, "");
  const onward = request(url, { method: incoming.method, headers, agent }, (reply) => {
    answer.writeHead(reply.statusCode, reply.headers);
    reply.pipe(answer);
  });
  onward.once("error", () => answer.destroy());
  incoming.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + server.address().port));
`;

/** Writes the bytes of one event of a run to whoever is connected, so many times a second. */
export const writerScript = (rate: number): string => `
import("node:http").then(({ createServer }) => {
  const open = new Set();
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  const started = performance.now();
  let sent = 0;
  setInterval(() => {
    for (const due = Math.floor(((performance.now() - started) * ${rate}) / 1000); sent < due; sent++) {
      const event = Buffer.from(\`event: delta\\ndata: \${JSON.stringify({ type: "content_delta", agent: "solo", channel: "work", text: "token " + sent + " " })}\\n\\n\`);
      for (const response of open) response.write(event);
    }
  }, 4);
  server.listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + server.address().port));
});
`;
