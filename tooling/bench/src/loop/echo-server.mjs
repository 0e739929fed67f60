// An MCP server over stdio that waits so many milliseconds before it answers `initialize`, and then echoes.
import { createInterface } from "node:readline";

const waitMs = Number(process.argv[2] ?? 0);
/** @param {number} id @param {object} result */
const say = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const tool = { name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: { text: { type: "string" } } } };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    setTimeout(() => say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1.0.0" } }), waitMs);
  } else if (method === "tools/list") say(id, { tools: [tool] });
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: params.arguments.text }] });
});
