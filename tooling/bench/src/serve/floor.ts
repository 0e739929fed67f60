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
