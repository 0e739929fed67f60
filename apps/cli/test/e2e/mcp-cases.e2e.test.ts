import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Step, scriptedTeam, step } from "@massgen/simulator";
import { isAlive } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, readJson } from "./program.js";

const fixtures = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/", import.meta.url));
const fake = (behaviour: string) => ({ command: "node", args: [`${fixtures}fake-mcp.mjs`, `${fixtures}cases/${behaviour}.json`] });

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await writeFile(bench.path("servers.jsonl"), "");
});
afterEach(() => bench.close());

/** A team of one with these servers, whose model does these steps. */
async function prepare(mcp_servers: object, steps: readonly Step[], more: object = {}) {
  const simulator = await bench.simulate({ respond: scriptedTeam({ "ada-model": steps }) });
  const base_url = simulator.baseUrl("chat_completions");
  const backend = { type: "chatcompletion", model: "ada-model", base_url, api_key: "made-up-key", mcp_servers };
  await bench.write("team.json", JSON.stringify({ agents: [{ id: "ada", backend }], ...more }));
  return simulator;
}

it("MC-01: of six servers three cannot be used; they are waited for side by side, named with the cause, and the rest is called", async () => {
  const simulator = await prepare(
    {
      desk: fake("desk"),
      noisy: fake("MC-01/noisy"),
      mute: { ...fake("MC-01/mute"), connect_timeout: 3 },
      mute_too: { ...fake("MC-01/mute"), connect_timeout: 3 },
      crash: fake("MC-01/crash"),
      absent: { command: "no-such-program-anywhere", security: { allowed_executables: ["no-such-program-anywhere"] } },
      environment: { ...fake("MC-01/environment"), env: { DESK_TOKEN: `$${"{MY_DESK_TOKEN}"}` } },
    },
    [
      step.tool("mcp__noisy__shout", {}),
      step.tool("mcp__environment__show", {}),
      step.tool("mcp__desk__lookup", { q: "lamp" }),
      step.text("Done."),
    ],
  );
  const env = { MY_DESK_TOKEN: "made-up-desk-token", OPENAI_API_KEY: "made-up-openai", ANTHROPIC_API_KEY: "made-up-anthropic" };
  const { code, out, err } = await bench.run(["--automation", "--config", "team.json", "Look it up."], { env });
  expect(code).toBe(0);
  const late = "it did not answer within 3 s (connect_timeout).";
  // That somebody is still waited for is told after a while, which only a busy machine takes.
  const told = err
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("WARNING: Waiting for MCP servers"));
  expect(told.toSorted()).toEqual([
    expect.stringMatching(/^WARNING: The MCP server "absent" is not used: .*no-such-program-anywhere/),
    'WARNING: The MCP server "crash" is not used: exited with code 3: fatal: DESK_HOME is not set.',
    `WARNING: The MCP server "mute" is not used: ${late}`,
    `WARNING: The MCP server "mute_too" is not used: ${late}`,
  ]);
  const status = await readJson<{ agents: { ada: { mcp_servers: Record<string, { state: string; error: string | null }> } } }>(
    lineOf(out, "STATUS"),
  );
  const servers = Object.entries(status.agents.ada.mcp_servers).map(([name, { state, error }]) => [name, state, error === null]);
  expect(servers).toEqual([
    ["desk", "ready", true],
    ["noisy", "ready", true],
    ["mute", "failed", false],
    ["mute_too", "failed", false],
    ["crash", "failed", false],
    ["absent", "failed", false],
    ["environment", "ready", true],
  ]);
  const said = JSON.stringify(simulator.requests.at(-1)?.body);
  expect(said).toContain("HELLO");
  expect(said).toContain("lamp");
  // What a server shows of its environment: our variables of no use, its own without the secret in any text, no key of a vendor's.
  expect(said).toMatch(/PATH[\\":\s]+[^"]*\/bin/);
  expect(said).toMatch(/DESK_TOKEN[\\":\s]+\[REDACTED\]/);
  for (const key of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "XAI_API_KEY"]) expect(said).toMatch(new RegExp(`${key}[\\\\":\\s]+null`));
  for (const secret of Object.values(env)) expect(said).not.toContain(secret);
  expect(await readFile(`${lineOf(out, "LOG_DIR")}/mcp/ada_noisy.log`, "utf8")).toContain("stdout, no message: Listening…");
});

describe("MC-02: no process of a polite server behind a shell, nor of a stubborn one, is left", () => {
  const pids = async (): Promise<readonly number[]> =>
    [...(await readFile(bench.path("servers.jsonl"), "utf8")).matchAll(/"(?:pid|child)":(\d+)/g)].map(([, pid]) => Number(pid));
  const servers = () => {
    const env = { FAKE_MCP_LOG: bench.path("servers.jsonl") };
    const args = [`${fixtures}cases/MC-02/wrapper.sh`, `${fixtures}fake-mcp.mjs`, `${fixtures}cases/MC-02/polite.json`];
    return { polite: { command: "sh", args, env }, stubborn: { ...fake("MC-02/stubborn"), env } };
  };
  const busy = [step.tool("mcp__stubborn__wait", {}), step.text("Done.")];

  it.each([
    ["its normal end", 0, [step.tool("mcp__polite__hello", {}), step.text("Done.")], {}, null],
    ["Ctrl-C", 4, busy, {}, "SIGINT"],
    ["SIGTERM", 4, busy, {}, "SIGTERM"],
    ["the time limit", 3, busy, { timeout_settings: { orchestrator_timeout_seconds: 2 } }, null],
  ] as const)("after %s: exit code %i", async (_end, code, steps, more, signal) => {
    await prepare(servers(), steps, more);
    const { child, ended } = bench.massgen(["--automation", "--config", "team.json", "Try it."]);
    if (signal !== null) {
      await expect.poll(() => readFile(bench.path("servers.jsonl"), "utf8")).toContain('"event":"call"');
      child.kill(signal);
    }
    expect((await ended).code).toBe(code);
    // Both servers with a child each, behind the shell too.
    expect(new Set(await pids()).size).toBe(4);
    await expect.poll(async () => (await pids()).filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });
});
