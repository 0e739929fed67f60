import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { scriptedTeam, step } from "@massgen/simulator";
import { isAlive } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, hasTerminal, lineOf, openBench, readJson } from "./program.js";

const fakeServer = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/fake-mcp.mjs", import.meta.url));

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await writeFile(bench.path("servers.jsonl"), "");
});
afterEach(() => bench.close());

const desk = {
  tools: [
    {
      name: "lookup",
      description: "Looks a word up.",
      text: "desk says: $" + "{q}",
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
    },
  ],
};

/** A team of one with servers that behave as described, by name. */
async function writeTeam(baseUrl: string, servers: Readonly<Record<string, object>>, keys: object = {}): Promise<void> {
  const mcp_servers: Record<string, object> = {};
  for (const [name, behaviour] of Object.entries(servers)) {
    const file = await bench.write(`${name}.json`, JSON.stringify({ name, ...behaviour }));
    mcp_servers[name] = {
      command: "node",
      args: [fakeServer, file],
      env: { FAKE_MCP_LOG: bench.path("servers.jsonl") },
      connect_timeout: 2,
      ...keys,
    };
  }
  const backend = { type: "chatcompletion", model: "ada-model", base_url: baseUrl, api_key: "made-up-key", mcp_servers };
  await bench.write("team.json", JSON.stringify({ agents: [{ id: "ada", backend }] }));
}

/** Every process a server was, or has started. */
async function pids(): Promise<readonly number[]> {
  const log = await readFile(bench.path("servers.jsonl"), "utf8");
  return [...log.matchAll(/"(?:pid|child)":(\d+)/g)].map(([, pid]) => Number(pid));
}

const noneAlive = () => expect.poll(async () => (await pids()).filter(isAlive), { timeout: 8_000 }).toEqual([]);

it("of five servers one crashes, one never answers, one chatters and one floods: the run uses the fifth and says what became of the others", async () => {
  const simulator = await bench.simulate({
    respond: scriptedTeam({
      "ada-model": [
        step.tool("mcp__flood__all", {}),
        step.tool("mcp__chatter__shout", {}),
        step.tool("mcp__desk__lookup", { q: "lamp" }),
        step.answer("A lamp."),
      ],
    }),
  });
  await writeTeam(simulator.baseUrl("chat_completions"), {
    desk,
    crash: { exitAtStart: 3, stderrNoise: ["fatal: DESK_HOME is not set"] },
    mute: { neverInitialize: true },
    chatter: { stdoutNoise: ["Listening…", "{half"], tools: [{ name: "shout", text: "HELLO" }] },
    flood: { tools: [{ name: "all", repeat: { text: "0123456789", times: 5 * 1024 * 1024 } }] },
  });
  const { code, out, err } = await bench.run(["--automation", "--config", "team.json", "Look it up."]);
  expect(code).toBe(0);
  expect(err.trim().split("\n")).toEqual([
    'WARNING: The MCP server "crash" is not used: exited with code 3: fatal: DESK_HOME is not set.',
    'WARNING: The MCP server "mute" is not used: it did not answer within 2 s (connect_timeout).',
    'WARNING: The MCP server "flood" of ada was lost: it sent a message of more than 10 MiB; the connection was closed.',
  ]);
  const log = lineOf(out, "LOG_DIR");
  const status = await readJson<{ agents: { ada: { mcp_servers: Record<string, { state: string; error: string | null }> } } }>(
    lineOf(out, "STATUS"),
  );
  expect(Object.entries(status.agents.ada.mcp_servers).map(([name, { state }]) => [name, state])).toEqual([
    ["desk", "ready"],
    ["crash", "failed"],
    ["mute", "failed"],
    ["chatter", "ready"],
    ["flood", expect.stringMatching(/^(?:failed|ready)$/)],
  ]);
  const text = await readFile(`${log}/massgen.log`, "utf8");
  expect(text).toContain("flood is failed: it sent a message of more than 10 MiB; the connection was closed");
  expect(await readFile(`${log}/mcp/ada_chatter.log`, "utf8")).toContain("stdout, no message: Listening…");
  expect(await readFile(bench.path("servers.jsonl"), "utf8")).toContain('"tool":"lookup","arguments":{"q":"lamp"}');
  await noneAlive();
});

describe("no process of a server is left", () => {
  const stubborn = { child: true, childIgnoresTerm: true, ignoreTerm: true, ignoreEof: true, tools: [{ name: "wait", never: true }] };

  it("after SIGKILL to the program in the middle of a call", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({ "ada-model": [step.tool("mcp__stubborn__wait", {}), step.answer("Done.")] }),
    });
    await writeTeam(simulator.baseUrl("chat_completions"), { stubborn });
    const { child, ended } = bench.massgen(["--automation", "--config", "team.json", "Wait."]);
    await expect.poll(() => readFile(bench.path("servers.jsonl"), "utf8")).toContain('"event":"call"');
    expect((await pids()).filter(isAlive).length).toBeGreaterThan(1);
    child.kill("SIGKILL");
    expect((await ended).code).toBe(null);
    await noneAlive();
  });

  it("after a run that ended by itself, nor of one behind npx", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({ "ada-model": [step.tool("mcp__desk__lookup", { q: "lamp" }), step.answer("A lamp.")] }),
    });
    await bench.write("desk.json", JSON.stringify({ name: "desk", ...desk, child: true }));
    const server = { command: "npx", args: ["--offline", "--yes", "-c", `node '${fakeServer}' '${bench.path("desk.json")}'`] };
    const backend = {
      ...{ type: "chatcompletion", model: "ada-model", base_url: simulator.baseUrl("chat_completions"), api_key: "made-up-key" },
      mcp_servers: { desk: { ...server, env: { FAKE_MCP_LOG: bench.path("servers.jsonl") } } },
    };
    await bench.write("team.json", JSON.stringify({ agents: [{ id: "ada", backend }] }));
    const { code, out } = await bench.run(["--automation", "--config", "team.json", "Look it up."]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("WINNER: ada") });
    expect(await pids()).not.toEqual([]);
    await noneAlive();
  });
});

describe("massgen mcp", () => {
  it("lists servers, shows tools, calls one and says what is wrong", async () => {
    await writeTeam("http://127.0.0.1:9/v1", { desk, crash: { exitAtStart: 3, stderrNoise: ["fatal: no licence"] } });
    const at = ["--config", "team.json"];
    const list = await bench.run(["mcp", "list", ...at]);
    expect(list.out).toMatch(/^desk +1 tool, ready in \d+ ms\n/);
    expect(list.out).toContain("crash  failed: exited with code 3: fatal: no licence");
    const tools = await bench.run(["mcp", "tools", "desk", ...at]);
    expect(tools.out).toBe("mcp__desk__lookup(q?)\n    Looks a word up.\n");
    const called = await bench.run(["mcp", "call", "lookup", '{"q": "lamp"}', ...at]);
    expect(called).toMatchObject({ code: 0, out: "desk says: lamp\n", err: "massgen: crash: exited with code 3: fatal: no licence\n" });
    const json = await bench.run(["mcp", "call", "mcp__desk__lookup", '{"q": "lamp"}', "--json", ...at]);
    expect(JSON.parse(json.out)).toEqual({ ok: true, parts: [{ type: "text", text: "desk says: lamp" }] });
    const doctor = await bench.run(["mcp", "doctor", ...at]);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/^ok {4}desk .*\nFAIL {2}crash +exited with code 3: fatal: no licence\./);
    await noneAlive();
  });

  it("a wrong word, a tool that is not there and arguments that are none are told with what would be right", async () => {
    await writeTeam("http://127.0.0.1:9/v1", { desk });
    expect(await bench.run(["mcp", "lst"])).toMatchObject({ code: 2, err: expect.stringContaining("list, tools, call, doctor") });
    expect(await bench.run(["mcp", "call", "lookup", "q=lamp"])).toMatchObject({ code: 2, err: expect.stringContaining("JSON object") });
    expect(await bench.run(["mcp", "call", "look", "--config", "team.json"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("mcp__desk__lookup"),
    });
  });
});

describe("a question of a server's to the person", () => {
  const asking = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/asking-server.mjs", import.meta.url));

  /** What the model was told of the answer. */
  async function prepare(): Promise<readonly string[]> {
    const shown: string[] = [];
    const respond = scriptedTeam({ "ada-model": [step.tool("mcp__asking__ask", { ask: "form" }), step.answer("Done.")] });
    const simulator = await bench.simulate({
      respond: (request) => {
        shown.push(...request.messages.map(({ text }) => text));
        return respond(request);
      },
    });
    const mcp_servers = { asking: { command: "node", args: [asking] } };
    const backend = { type: "chatcompletion", model: "ada-model", base_url: simulator.baseUrl("chat_completions"), mcp_servers };
    await bench.write("team.json", JSON.stringify({ agents: [{ id: "ada", backend }], orchestrator: { single_agent_mode: "refine" } }));
    return shown;
  }

  it.skipIf(!hasTerminal)("is typed at the terminal", async () => {
    const shown = await prepare();
    const started = bench.massgen(["--config", "team.json", "Work."], { terminal: { columns: 120, rows: 30 } });
    await started.says('The MCP server "asking" asks you, not the agents: Which one?');
    await started.says("colour (text, may be empty): ");
    started.type("deep red\r");
    await started.says("Send colour = deep red?");
    started.type("y\r");
    const { code, out } = await started.ended;
    expect(code).toBe(0);
    expect(shown.join("\n")).toContain('{"action":"accept","content":{"colour":"deep red"}}');
    expect(out).toContain("Done.");
  });

  it("is declined where nobody sits", async () => {
    const shown = await prepare();
    expect((await bench.run(["--automation", "--config", "team.json", "Work."])).code).toBe(0);
    expect(shown.join("\n")).toContain('{"action":"decline"}');
  });
});
