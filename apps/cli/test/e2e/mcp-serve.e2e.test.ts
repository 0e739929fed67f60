import { scriptedTeam, step } from "@massgen/simulator";
import { isAlive } from "@massgen/testing/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, PROGRAM, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

async function connected(argv: readonly string[] = ["--config", "team.yaml"], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp", "serve", ...argv],
    cwd: bench.folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: bench.folder, ...env },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as never);
  return { client, pid: transport.pid ?? 0 };
}

describe("massgen mcp serve", () => {
  it("answers the SDK's own client with progress, and is gone when the client is", async () => {
    const respond = scriptedTeam({
      "model-a": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
      "model-b": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
    });
    const simulator = await bench.simulate({ respond });
    const agents = ["a", "b"].map((id) => ({
      id,
      backend: { type: "chatcompletion", model: `model-${id}`, base_url: simulator.baseUrl("chat_completions") },
    }));
    await bench.write("team.yaml", JSON.stringify({ agents }));
    const { client, pid } = await connected();
    const progress: number[] = [];
    const result = await client.callTool({ name: "massgen_run", arguments: { question: "Which cache?" } }, undefined, {
      onprogress: (one) => progress.push(one.progress),
    });
    expect(result.structuredContent).toMatchObject({ answer: "ARC it is.", winner: "b", status: "completed" });
    expect(progress.length).toBeGreaterThan(5);
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("plays the team that the environment names, where no flag does", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam({ "solo-model": [step.text("Hello.")] }) });
    await bench.write("other.yaml", teamYaml(simulator, ["solo"]));
    const { client } = await connected([], { MASSGEN_SERVER_DEFAULT_CONFIG: "other.yaml" });
    const result = await client.callTool({ name: "massgen_run", arguments: { question: "Hi?" } });
    expect(result.structuredContent).toMatchObject({ answer: "Hello." });
    await client.close();
  });

  it("takes no flags of HTTP without it, and no other word", async () => {
    expect(await bench.run(["mcp", "list", "--host", "127.0.0.1"])).toMatchObject({ code: 2, err: expect.stringContaining("mcp serve") });
    expect((await bench.run(["mcp", "serve", "more"])).code).toBe(2);
  });
});
