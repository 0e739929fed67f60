import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { findSandbox } from "@massgen/exec";
import { type SimulatedRequest, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, hasTerminal, lineOf, openBench, pressUntilEnded, readJson } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const sandbox = await findSandbox({ platform: process.platform, path: process.env["PATH"] ?? "", hostHome: "/nonexistent" });

/** One agent that runs a command and answers; gives what its model was shown. */
async function prepare(command: string, backend = "", more = "", timeout?: number): Promise<readonly string[]> {
  const shown: string[] = [];
  const input = { command, ...(timeout === undefined ? {} : { timeout }) };
  const respond = scriptedTeam({ "ada-model": [step.tool("execute_command", input), step.answer("Done.")] });
  const simulator = await bench.simulate({
    respond: (request: SimulatedRequest) => {
      shown.push([...request.tools, ...request.messages.map(({ text }) => text)].join("\n"));
      return respond(request);
    },
  });
  const yaml = `agent:\n  id: ada\n  backend:\n    {type: chatcompletion, model: ada-model, base_url: "${simulator.baseUrl("chat_completions")}", cwd: ws, enable_mcp_command_line: true${backend}}\norchestrator: {single_agent_mode: refine}\n${more}`;
  await bench.write("team.yaml", yaml);
  return shown;
}
const args = ["--automation", "--config", "team.yaml", "Work."];

/** Pids of processes that run and have the token in their command line. */
function running(token: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(token) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  });
}

async function until(condition: () => boolean, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await wait(25);
  }
}

let count = 0;
/** A script that forks, leaves its session with a child, ignores every polite signal and prints for ever. */
const stubborn = (token: string): string =>
  `loop='trap "" TERM INT HUP; while :; do echo ${token}; sleep 0.1; done'; bash -c "$loop" ${token} & setsid bash -c "$loop" ${token} & trap "" TERM; bash -c "$loop" ${token}`;

describe.skipIf(process.platform !== "linux")("the processes of a run", () => {
  const walls = [...(sandbox.found ? ["require"] : []), "off"];

  it.each(walls)("kill -9 of the program leaves no command behind (sandbox: %s)", async (setting) => {
    const token = `massgen-e2e-${process.pid}-${count++}`;
    await prepare(stubborn(token), `, command_line_sandbox: "${setting}"`);
    const started = bench.massgen(args);
    await until(() => running(token).length >= 3, 15_000);
    started.child.kill("SIGKILL");
    await started.ended;
    await until(() => running(token).length === 0, 5_000);
  });

  it.each(walls)("a command that forks, ignores SIGTERM and prints for ever is gone 5 s after its limit (sandbox: %s)", async (setting) => {
    const token = `massgen-e2e-${process.pid}-${count++}`;
    const shown = await prepare(stubborn(token), `, command_line_sandbox: "${setting}"`, "", 1);
    const started = bench.massgen(args);
    await until(() => running(token).length >= 3, 15_000);
    await until(() => running(token).length === 0, 1_000 + 5_000);
    const { code } = await started.ended;
    expect(code).toBe(0);
    expect(shown.join("\n")).toContain("TOOL_TIMEOUT");
  });
});

describe.skipIf(!hasTerminal)("a call that wants a person's consent", () => {
  const hooks = `hooks: {PreToolUse: [{handler: "echo '{\\"decision\\": \\"ask\\", \\"reason\\": \\"it costs money\\"}'", type: command}]}\n`;

  it.each([
    ["o", "allowed, this once", "exit code 0"],
    ["d", "refused", "wants a person's consent (it costs money), and a person refused"],
  ])("waits for a key of whoever sits there: %s", async (key, said, expected) => {
    const shown = await prepare("echo hello", ', command_line_sandbox: "off"', hooks);
    const started = bench.massgen(["--display", "rich", "--config", "team.yaml", "Work."], { terminal: { columns: 120, rows: 30 } });
    await started.says("[o] allow this once");
    // A key that means nothing does not agree.
    started.type("\u001b[D or for rd");
    await started.says("press o, r or d");
    started.type(key);
    const { code, out } = await started.ended;
    expect(code).toBe(0);
    expect(out).toContain("it costs money (hook echo)");
    expect(out).toContain(said);
    expect(shown.join("\n")).toContain(expected);
  });

  it("waits on the whole terminal for a key that was read", async () => {
    const shown = await prepare("echo hello", ', command_line_sandbox: "off"', hooks);
    const started = bench.massgen(["--config", "team.yaml", "Work."], { terminal: { columns: 120, rows: 30 } });
    await started.says("allow this once");
    started.type("rd or");
    const { code } = await pressUntilEnded(started, "o");
    expect(code).toBe(0);
    expect(shown.join("\n")).toContain("exit code 0");
  });

  it("is stopped by Ctrl-C like everything else", async () => {
    await prepare("echo hello", ', command_line_sandbox: "off"', hooks);
    const started = bench.massgen(["--display", "rich", "--config", "team.yaml", "Work."], { terminal: { columns: 120, rows: 30 } });
    await started.says("[o] allow this once");
    started.type("\u0003");
    expect((await started.ended).code).toBe(4);
  });

  it("is refused in automation", async () => {
    const shown = await prepare("echo hello", ', command_line_sandbox: "off"', hooks);
    expect((await bench.run(args)).code).toBe(0);
    expect(shown.join("\n")).toContain("and nobody is there to be asked");
  });
});

describe("what agents may run", () => {
  it.skipIf(!hasTerminal).each([
    ["y", "exit code 0", "Commands run WITHOUT a sandbox, as you allowed"],
    ["", 'there is no tool called "execute_command"', "Agents run no commands"],
  ])("without a sandbox a person is asked once, for all agents: %j", async (typed, shownToModel, note) => {
    const shown = await prepare("echo hello");
    const started = bench.massgen(["--config", "team.yaml", "Work."], {
      terminal: { columns: 160, rows: 30 },
      through: ["/usr/bin/env", "PATH=/nonexistent"],
    });
    await started.says("Let agents run commands all the same? [y]es, [N]o: ");
    started.type(`${typed}\r`);
    const { code, out } = await started.ended;
    expect(code).toBe(0);
    expect(out).toContain("Without one an agent can read, change and send whatever you can.");
    expect(out).toContain(note);
    expect(shown.join("\n").toLowerCase()).toContain(shownToModel);
    expect(out.split("Let agents run commands").length).toBe(2);
  });

  it("T4.8: without a sandbox there are no command tools in automation, and it says why", async () => {
    const shown = await prepare("echo hello");
    const { code, out, err } = await bench.run(args, { env: { PATH: "/nonexistent" } });
    expect(code).toBe(0);
    expect(err).toMatch(/Agents run no commands: .*(bubblewrap|sandbox).* Or write command_line_sandbox: off/);
    expect(shown.join("\n")).not.toMatch(/^execute_command$/m);
    const status = await readJson<{ readonly agents: Readonly<Record<string, { readonly sandbox: string | null }>> }>(
      lineOf(out, "STATUS"),
    );
    expect(status.agents["ada"]?.sandbox).toBeNull();
    expect(await readFile(`${lineOf(out, "LOG_DIR")}/massgen.log`, "utf8")).toContain("Agents run no commands");
  });

  it("T4.8: a sandbox that is required and missing stops the program before any request", async () => {
    const shown = await prepare("echo hello", ", command_line_sandbox: require");
    const { code, err } = await bench.run(args, { env: { PATH: "/nonexistent" } });
    expect({ code, shown }).toEqual({ code: 1, shown: [] });
    expect(err).toContain("Commands need a sandbox, and there is none.");
  });

  it("T4.1: off in so many words runs them, with a warning, and no key is in the environment of what is started", async () => {
    await bench.write("tell.sh", `env > "${bench.path("hook.env")}"\n`);
    await bench.write(".env", "XAI_API_KEY=xai-planted-0123456789\n");
    const hooks = 'hooks: {PreToolUse: [{handler: "sh ./tell.sh"}]}\n';
    const shown = await prepare(
      "env; echo end-of-env",
      ', command_line_sandbox: "off", command_line_env: {FOO: 1}, command_line_env_passthrough: [DEPLOY_TOKEN]',
      hooks,
    );
    const env = { OPENAI_API_KEY: "sk-planted-0123456789", AWS_SECRET_ACCESS_KEY: "planted/secret/0123", DEPLOY_TOKEN: "by-name-4711" };
    const { code, out, err } = await bench.run(args, { env });
    expect(code).toBe(0);
    expect(err).toContain("Commands run WITHOUT a sandbox (command_line_sandbox: off)");
    const text = shown.join("\n");
    expect(text).toContain("FOO=1");
    // Passed by name; what it holds is taken out before the model reads it.
    expect(text).toContain("DEPLOY_TOKEN=[REDACTED]");
    expect(`${text}${await readFile(bench.path("hook.env"), "utf8")}`).not.toMatch(/planted|API_KEY|AWS_/);
    const status = await readJson<{ readonly agents: Readonly<Record<string, { readonly sandbox: string | null }>> }>(
      lineOf(out, "STATUS"),
    );
    expect(status.agents["ada"]?.sandbox).toBe("none");
  });
});
