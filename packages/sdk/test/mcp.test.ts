import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Simulator, type Step, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { isAlive } from "@massgen/testing/node";
import { afterEach, describe, expect, it } from "vitest";
import { type FinishedRun, prepareRun, resolveTeam } from "../src/index.js";

const fakeServer = fileURLToPath(new URL("../../mcp/test/fixtures/fake-mcp.mjs", import.meta.url));
const simulators: Simulator[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Tried {
  readonly notes: readonly string[];
  readonly finished: FinishedRun;
  /** What the models were sent, a request each. */
  readonly requests: readonly string[];
  readonly cwd: string;
  readonly log: string;
  pids(): Promise<readonly number[]>;
}

/** A run of a team of one with servers that behave as described, by name. */
async function tryRun(
  servers: Readonly<Record<string, { readonly behaviour: object; readonly [key: string]: unknown }>>,
  script: readonly Step[],
  backend: object = {},
): Promise<Tried> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "massgen-mcp-run-")));
  folders.push(cwd);
  const log = join(cwd, "servers.jsonl");
  await writeFile(log, "");
  const mcp_servers: Record<string, object> = {};
  for (const [name, { behaviour, ...keys }] of Object.entries(servers)) {
    const file = join(cwd, `${name}.json`);
    await writeFile(file, JSON.stringify({ name, ...behaviour }));
    mcp_servers[name] = { command: "node", args: [fakeServer, file], ...keys, env: { FAKE_MCP_LOG: log, ...(keys["env"] as object) } };
  }
  const requests: string[] = [];
  const respond = scriptedTeam({ "ada-model": script });
  const simulator = await startSimulator({
    respond: (request) => {
      requests.push(JSON.stringify(request));
      return respond(request);
    },
  });
  simulators.push(simulator);
  const base = { type: "chatcompletion", model: "ada-model", base_url: simulator.baseUrl("chat_completions"), max_retries: 0 };
  const env = { HOME: cwd, PATH: process.env["PATH"], DESK_TOKEN: "made-up-desk-token" };
  const team = await resolveTeam({ config: { agents: [{ id: "ada", backend: { ...base, ...backend, mcp_servers } }] } }, { env, cwd });
  const prepared = await prepareRun({ question: "Look it up.", loaded: team.loaded, env, cwd, logs: { cwd, version: "0.0.0" } });
  const finished = await prepared.start().finished;
  return {
    notes: prepared.notes,
    finished,
    requests,
    cwd,
    log: prepared.logDirectory ?? "",
    pids: async () => [...(await readFile(log, "utf8")).matchAll(/"(?:pid|child)":(\d+)/g)].map(([, pid]) => Number(pid)),
  };
}

const tools = [{ name: "lookup", description: "Looks a word up.", text: "desk says: $" + "{q}" }];

describe("MCP servers of a config", () => {
  it("their tools are called in a run; nothing of them is left after it", async () => {
    const run = await tryRun({ desk: { behaviour: { tools, child: true } } }, [
      step.tool("mcp__desk__lookup", { q: "lamp" }),
      step.answer("A lamp."),
    ]);
    expect(run.finished.status).toBe("completed");
    expect(run.requests.at(-1)).toContain("desk says: lamp");
    const pids = await run.pids();
    expect(pids.length).toBeGreaterThan(1);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it("what became of a bad one is said in one line and stands in the status; the run goes on", async () => {
    const run = await tryRun(
      { desk: { behaviour: { tools } }, crash: { behaviour: { exitAtStart: 3, stderrNoise: ["fatal: no DESK_HOME"] } } },
      [step.tool("mcp__desk__lookup", { q: "lamp" }), step.answer("A lamp.")],
    );
    expect(run.notes).toEqual(['The MCP server "crash" is not used: exited with code 3: fatal: no DESK_HOME.']);
    const status = JSON.parse(await readFile(join(run.log, "status.json"), "utf8"));
    expect(status.agents.ada.mcp_servers).toEqual({
      desk: { state: "ready", tools: 1, error: null },
      crash: { state: "failed", tools: 0, error: "exited with code 3: fatal: no DESK_HOME" },
    });
    expect(await readFile(join(run.log, "mcp", "ada_crash.log"), "utf8")).toContain("stderr: fatal: no DESK_HOME");
  });

  it("one that is needed keeps the run from starting, and leaves nothing behind", async () => {
    const asked = tryRun({ desk: { behaviour: { tools } }, crash: { behaviour: { exitAtStart: 3 }, optional: false } }, [
      step.answer("No."),
    ]);
    await expect(asked).rejects.toMatchObject({ code: "MCP_UNAVAILABLE", exitCode: 1 });
  });

  it("a secret of its environment is in no file of the log and not in what the model reads", async () => {
    const run = await tryRun(
      {
        desk: {
          behaviour: { tools: [{ name: "show", env: ["DESK_TOKEN"] }], stderrNoise: ["token is made-up-desk-token"] },
          env: { DESK_TOKEN: "$" + "{DESK_TOKEN}" },
        },
      },
      [step.tool("mcp__desk__show", {}), step.answer("Seen.")],
    );
    expect(run.requests.at(-1)).toContain("[REDACTED]");
    const files = await readdir(run.log, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
    );
    expect([...run.requests, ...texts].filter((text) => text.includes("made-up-desk-token"))).toEqual([]);
  });

  it("a result that is too long goes to a file of the agent's, who is told where; so does what it cannot take in", async () => {
    const behaviour = {
      tools: [
        { name: "long", repeat: { text: "0123456789", times: 10_000 } },
        { name: "sound", content: [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }] },
      ],
    };
    const run = await tryRun(
      { desk: { behaviour } },
      [
        step.tool("mcp__desk__long", {}),
        step.tool("mcp__desk__sound", {}),
        step.tool("grep", { pattern: "0123456789", path: ".tool_results", mode: "count" }),
        step.answer("Long."),
      ],
      { cwd: "ws" },
    );
    expect(run.requests[1]).toMatch(/full output in \.tool_results\/mcp__desk__long_1\.txt/);
    expect(run.requests[2]).toMatch(/audio saved: \.tool_results\/mcp_2\.wav/);
    expect(run.requests[3]).toMatch(/mcp__desk__long_1\.txt/);
  });

  it("T2.16: an agent with files gets no path of a stranger's past its own rules, unless the server is trusted", async () => {
    const behaviour = {
      tools: [{ name: "put", inputSchema: { type: "object", properties: { target_file: { type: "string" } } }, text: "written" }],
    };
    const script = [step.tool("mcp__desk__put", { target_file: "/etc/x" }), step.answer("Done.")];
    const low = await tryRun({ desk: { behaviour } }, script, { cwd: "ws" });
    expect(low.requests.at(-1)).not.toContain("written");
    expect(await readFile(join(low.cwd, "servers.jsonl"), "utf8")).not.toContain('"event":"call"');
    const normal = await tryRun({ desk: { behaviour, trust: "normal" } }, script, { cwd: "ws" });
    expect(normal.requests.at(-1)).toContain("written");
  });

  it("T3.15: exclude_tools takes out tools of servers and our own, by old names too", async () => {
    const run = await tryRun({ desk: { behaviour: { tools: [...tools, { name: "drop" }] } } }, [step.answer("Done.")], {
      cwd: "ws",
      exclude_tools: ["mcp__filesystem__write_file", "drop", "delete_*"],
    });
    const names = [...(run.requests[0] ?? "").matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    expect(names).toContain("mcp__desk__lookup");
    expect(names).toContain("read_file");
    expect(names.filter((name) => /write_file|drop|delete/.test(name ?? ""))).toEqual([]);
  });
});
