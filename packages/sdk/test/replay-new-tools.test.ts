import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validateConfig } from "@massgen/config";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { prepareRun, readRunLog, replayRun } from "../src/index.js";
import { artefactsIn, exact } from "./check-log.js";

const fakeServer = fileURLToPath(new URL("../../mcp/test/fixtures/fake-mcp.mjs", import.meta.url));
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const count = (text: string, part: string): number => text.split(part).length - 1;
const call = (name: string, input: Record<string, string> = {}): SimulatedReply => ({ kind: "message", toolCalls: [{ name, input }] });

/** A recorded run whose server has another tool after its first call, which is called in the second round. */
async function recordRun(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "massgen-new-tools-"));
  folders.push(cwd);
  const serverLog = join(cwd, "server.jsonl");
  await writeFile(serverLog, "");
  const lookup = { name: "lookup", description: "Looks a word up.", text: "a lamp" };
  const behaviour = {
    name: "desk",
    tools: [lookup],
    listChanged: { afterCalls: 1, tools: [lookup, { name: "order", description: "Orders one.", text: "ordered" }] },
  };
  await writeFile(join(cwd, "desk.json"), JSON.stringify(behaviour));

  const listsRead = async (): Promise<void> =>
    await expect.poll(async () => count(await readFile(serverLog, "utf8"), '"tools/list"')).toBeGreaterThan(1);
  async function respond({ messages, tools }: SimulatedRequest): Promise<SimulatedReply> {
    const results = messages.filter(({ role }) => role === "tool").length;
    const isSecond = messages.some(({ text }) => text.includes("<current_answers>"));
    if (isSecond) return results === 0 ? call("mcp__desk__order") : call("vote", { agent_id: "agent1", reason: "It is ordered." });
    expect(JSON.stringify(tools)).not.toContain("mcp__desk__order");
    if (results === 0) return call("mcp__desk__lookup");
    // Once the server was asked for its new list, a second call is answered behind it on the same pipe.
    if (results === 1) await listsRead();
    return results === 1 ? call("mcp__desk__lookup") : call("new_answer", { content: "Take the lamp." });
  }
  const simulator = await startSimulator({ respond });
  onTestFinished(() => simulator.close());
  const mcp_servers = { desk: { command: "node", args: [fakeServer, join(cwd, "desk.json")], env: { FAKE_MCP_LOG: serverLog } } };
  const backend = { type: "chatcompletion", model: "m", base_url: simulator.baseUrl("chat_completions"), max_retries: 0, mcp_servers };
  const prepared = await prepareRun({
    question: "Which one?",
    loaded: validateConfig({
      agents: [{ id: "ada", backend }],
      orchestrator: { record: true, seed: 3, single_agent_mode: "refine" },
    }),
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd },
    cwd,
    logs: { cwd, version: "1" },
  });
  expect((await prepared.start().finished).status).toBe("completed");
  return prepared.logDirectory ?? "";
}

describe("tools that an MCP server brings while a run goes on", () => {
  it("are on record, and the run is made again with them", async () => {
    const log = await recordRun();
    const original = await readRunLog(log);
    const calls = original.flatMap((record) => (record.type === "tool_complete" ? [[record.name, record.ok]] : []));
    expect(calls).toEqual([
      ["mcp__desk__lookup", true],
      ["mcp__desk__lookup", true],
      ["mcp__desk__order", true],
    ]);
    const lines = (await readFile(join(log, "llm_calls.jsonl"), "utf8")).split("\n").filter((line) => line.includes('"new_tools"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { kind: "new_tools", agent_id: "ada", tools: [{ spec: { name: "mcp__desk__order" }, origin: "mcp" }] },
    ]);
    const { records, difference } = await replayRun(log);
    expect(difference).toBeNull();
    expect(records.map(({ type }) => type)).toEqual(original.map(({ type }) => type));
    const { artefacts } = await artefactsIn(log);
    for (const { path, schema, document } of artefacts) {
      const validate = exact.get(schema);
      expect([path, validate?.(document), validate?.errors ?? []]).toEqual([path, true, []]);
    }
  });
});
