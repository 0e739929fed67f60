import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { validateConfig } from "@massgen/config";
import { expect, it } from "vitest";
import { mcpText } from "../../src/interactive/mcp-command.js";
import { fakeIo } from "../fake-io.js";

const asking = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/asking-server.mjs", import.meta.url));

/** What `/mcp` says in a conversation with this team. */
async function said(mcp_servers: object, argument = ""): Promise<string> {
  const backend = { type: "chatcompletion", model: "m", base_url: "http://127.0.0.1:1/v1", mcp_servers };
  const loaded = validateConfig({ agents: [{ id: "ada", backend }] });
  if (loaded.config === null) throw new Error(JSON.stringify(loaded.issues));
  return mcpText(
    { team: { config: loaded.config, loaded } },
    argument,
    fakeIo({ cwd: tmpdir(), env: { PATH: process.env["PATH"] ?? "" } }).io,
  );
}

it("/mcp says what became of each server, and with a name what its tools are", async () => {
  const servers = { desk: { command: "node", args: [asking] }, gone: { command: "node", args: ["-e", "process.exit(3)"] } };
  const all = await said(servers);
  expect(all).toMatch(/^desk +1 tool, ready in \d+ ms$/m);
  expect(all).toMatch(/^gone +failed: /m);
  expect(await said(servers, "desk")).toMatch(/^mcp__desk__ask\(ask\)\n {4}Asks its client\.$/m);
  await expect(said(servers, "dsk")).rejects.toMatchObject({ code: "USAGE", hint: "It has: desk, gone." });
  expect(await said({})).toBe("this team has no MCP servers\n");
});
