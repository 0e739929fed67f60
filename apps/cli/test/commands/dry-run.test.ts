import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";
import { runCli } from "../../src/cli.js";
import { runDry } from "../../src/commands/dry-run.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const folder = await mkdtemp(join(tmpdir(), "massgen-dry-"));
afterAll(() => rm(folder, { recursive: true }));

const team = `agents:
  - {id: ada, backend: {type: openai, model: gpt-5-mini}}
  - {id: 小, backend: {type: claude, model: claude-haiku-4-5, cwd: ws}}
  - {id: cy, backend: {type: gemini, model: gemini-unheard-of}}
  - {id: di, backend: {type: openrouter, model: x/y}}
`;
await writeFile(join(folder, "team.yaml"), team);

interface Report {
  readonly simulated: true;
  readonly log_dir: string;
  readonly calls: number;
  readonly warnings: readonly string[];
  readonly missing_keys: readonly { readonly agent: string }[];
  readonly forecast: {
    readonly total: { readonly calls: { readonly low: number; readonly high: number }; readonly cost_usd: object | null };
    readonly agents: readonly { readonly id: string; readonly cost_usd: object | null }[];
  };
}

/** Models write at once here. */
async function dry(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const fake = fakeIo({ cwd: folder, env });
  const { request } = readRequest(["--dry-run", ...argv], fake.io);
  if (request.kind !== "dry-run") throw new Error(request.kind);
  const code = await runDry(request, fake.io, createSession(), 0);
  return { code, out: fake.out(), err: fake.err() };
}

describe("--dry-run", { timeout: 30_000 }, () => {
  it("runs the user's own config without a key, says everywhere that it is simulated, and ends with a forecast", async () => {
    const { code, out, err } = await dry(["--config", "team.yaml", "Why?"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^0:00 simulated: no model was asked/);
    expect(out).toContain("question: Why?");
    const forecast = out.slice(out.indexOf("\nForecast (simulated"));
    for (const row of [/^ {2}ada +gpt-5-mini +\d+–\d+ /m, /^ {2}cy +gemini-unheard-of .* unknown /m, /^ {2}all .* unknown /m])
      expect(forecast).toMatch(row);
    expect(forecast).toContain("A real run needs a key for 小: ANTHROPIC_API_KEY.");
    expect(err).not.toContain("refuse a request");
  });

  it("uses no key that is set, and keeps a log that says it was simulated", async () => {
    const { out } = await dry(["--config", "team.yaml", "--json"], { OPENAI_API_KEY: "sk-of-the-user" });
    const report = JSON.parse(out) as Report;
    expect(report.missing_keys.map(({ agent }) => agent)).toEqual(["小", "cy", "di"]);
    const status = JSON.parse(await readFile(join(report.log_dir, "status.json"), "utf8")) as unknown;
    expect(status).toMatchObject({ meta: { simulated: true } });
    for (const name of await readdir(report.log_dir, { recursive: true, withFileTypes: true }))
      if (name.isFile()) expect(await readFile(join(name.parentPath, name.name), "utf8")).not.toContain("sk-of-the-user");
  });

  it("--json: one object, and nothing else on stdout", async () => {
    const { code, out } = await dry(["--config", "team.yaml", "--json"]);
    const report = JSON.parse(out) as Report;
    expect(code).toBe(0);
    expect(report).toMatchObject({ simulated: true, forecast: { total: { cost_usd: null } } });
    expect(report.forecast.agents.map(({ id, cost_usd }) => [id, cost_usd === null])).toEqual([
      ["ada", false],
      ["小", false],
      ["cy", true],
      ["di", true],
    ]);
  });

  it("--automation: KEY: value lines that name the simulation", async () => {
    const { out } = await dry(["--config", "team.yaml", "--automation"]);
    expect(out).toMatch(/^SIMULATED: /m);
    expect(out).toMatch(/^SIMULATED_FORECAST_CALLS: \d+-\d+$/m);
    expect(out).toMatch(/^SIMULATED_FORECAST_COST_USD: unknown$/m);
    expect(out).toMatch(/^SIMULATED_FORECAST_AGENT: ada\n {2}SIMULATED_CALLS: \d+-\d+$/m);
  });

  it.each<[name: string, size: number, more: string]>([
    ["voting", 3, ""],
    ["voting without a presentation", 3, "orchestrator: {skip_final_presentation: true, max_new_answers_per_agent: 2}\n"],
    ["no votes", 3, "orchestrator: {skip_voting: true}\n"],
    ["a pipeline", 3, "orchestrator: {workflow: sequential}\n"],
    ["parts", 3, "orchestrator: {coordination_mode: decomposition}\n"],
    ["another attempt", 3, "orchestrator: {coordination: {max_orchestration_restarts: 1}}\n"],
    ["planning", 3, "orchestrator: {coordination: {enable_planning_mode: true}}\n"],
    ["no coordination", 3, "orchestrator: {skip_coordination_rounds: true}\n"],
    ["one agent", 1, ""],
    ["one agent that refines", 1, "orchestrator: {single_agent_mode: refine}\n"],
  ])("takes as many calls as it forecasts: %s", async (name, size, more) => {
    const agents = ["ada", "bob", "cy"]
      .slice(0, size)
      .map((id) => `  - {id: ${id}, subtask: part, backend: {type: ollama, model: qwen3}}\n`);
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, `agents:\n${agents.join("")}${more}`);
    const { out } = await dry(["--config", file, "--json", "--no-logs"]);
    const { calls, forecast } = JSON.parse(out) as Report;
    expect(calls).toBeGreaterThanOrEqual(forecast.total.calls.low);
    expect(calls).toBeLessThanOrEqual(forecast.total.calls.high);
  });

  it("brings MCP servers up: their tools are in the forecast, and one that does not come up is told", async () => {
    const server = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/fake-mcp.mjs", import.meta.url));
    const behaviour = join(folder, "behaviour.json");
    const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, text: "seen" }];
    await writeFile(behaviour, JSON.stringify({ name: "desk", tools }));
    const servers = `desk: {command: node, args: [${JSON.stringify(server)}, ${JSON.stringify(behaviour)}]}, gone: {command: node, args: [nowhere.mjs]}`;
    await writeFile(join(folder, "mcp.yaml"), `agents:\n  - {id: ada, backend: {type: ollama, model: m, mcp_servers: {${servers}}}}\n`);
    const path = { PATH: process.env["PATH"] ?? "" };
    const { out } = await dry(["--config", "mcp.yaml", "--json", "--no-logs"], path);
    const { warnings, forecast } = JSON.parse(out) as Report;
    expect(warnings.filter((text) => text.includes("MCP"))).toEqual([expect.stringMatching(/"gone" is not used/)]);
    expect(forecast.total.calls).toEqual({ low: 1, high: 8 });
    // A real run would go on without it, so this is a success; whoever reads only the forecast is told too.
    const told = await dry(["--config", "mcp.yaml", "--no-logs"], path);
    expect(told.code).toBe(0);
    expect(told.out.replaceAll(/\s+/g, " ")).toMatch(/Forecast .*With a warning, which stops no run: The MCP server "gone" is not used: /);
  });

  it("stops where a real run would: what is missing is named, exit 1", async () => {
    await writeFile(
      join(folder, "paths.yaml"),
      "agents:\n  - {id: ada, backend: {type: ollama, model: m, cwd: ws}}\norchestrator: {context_paths: [./not-there]}\n",
    );
    await expect(dry(["--config", "paths.yaml"])).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining("not-there") });
  });

  it("--resume of its log is refused: real models would answer in the place of stand-ins", async () => {
    const { out } = await dry(["--config", "team.yaml", "--json"]);
    const { log_dir } = JSON.parse(out) as Report;
    // As a kill in the middle leaves it.
    const events = join(log_dir, "events.jsonl");
    const lines = (await readFile(events, "utf8")).trimEnd().split("\n");
    await writeFile(
      events,
      `${lines
        .filter((line) => !line.includes("run_finished"))
        .slice(0, 3)
        .join("\n")}\n`,
    );
    const fake = fakeIo({ cwd: folder });
    expect(await runCli(["--resume", log_dir], fake.io, createSession())).toBe(2);
    expect(fake.err()).toContain("is the log of a dry run");
  });

  it.each([
    ["--dry-run", "--continue"],
    ["--dry-run", "--session-id", "s"],
    ["--dry-run", "--validate", "x.yaml"],
    ["--dry-run", "--resume", "latest"],
    ["--dry-run", "--json", "--automation"],
  ])("%s %s is a usage error", async (...argv) => {
    expect(await runCli(argv, fakeIo({ cwd: folder }).io, createSession())).toBe(2);
  });
});
