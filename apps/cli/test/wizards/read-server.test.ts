import { describe, expect, it } from "vitest";
import { readServer } from "../../src/wizards/ask-mcp-server.js";

describe("an MCP server that was typed", () => {
  it.each([
    ["https://mcp.example/v1", { name: "n", url: "https://mcp.example/v1" }],
    ["npx -y server", { name: "n", command: "npx", args: ["-y", "server"] }],
    [" node 'my server.js' \"--root=/a b\" ", { name: "n", command: "node", args: ["my server.js", "--root=/a b"] }],
    ["server", { name: "n", command: "server", args: [] }],
  ])("%j is %j", (place, expected) => {
    expect(readServer("n", place)).toEqual(expected);
  });
});
