import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type Simulator, scriptedTeam, step } from "@massgen/simulator";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { describe, expect, it, type TestContext } from "vitest";
import { type Bench, openBench, PROGRAM } from "./program.js";

const missing = terminalMissing();
const why = missing === null ? "" : `: skipped: ${missing}`;

/** A machine on which nothing but our Ollama runs, or not even that, and what a person does on it. */
interface Machine {
  readonly bench: Bench;
  readonly simulator: Simulator;
  /** The program in a terminal. */
  readonly start: (argv: readonly string[], around?: { ollama?: boolean; env?: Readonly<Record<string, string>> }) => Promise<Terminal>;
  readonly read: (name: string) => Promise<string>;
  /** What a wizard wrote has the line for editors, is good to the last warning, and is found by a run. */
  readonly expectGood: (file: string) => Promise<void>;
}

/** One for each test, because they wait most of the time and therefore run side by side. */
async function openMachine({ onTestFinished }: Pick<TestContext, "onTestFinished">): Promise<Machine> {
  const bench = await openBench();
  const terminals: Terminal[] = [];
  onTestFinished(async () => {
    await Promise.all(terminals.map((terminal) => terminal.close()));
    await bench.close();
  });
  const says = [step.answer("Forget what was used least."), step.vote("agent1", "it is right"), step.text("Forget what was used least.")];
  const simulator = await bench.simulate({ models: ["gemma3", "llama3.2", "qwen3:8b"], respond: scriptedTeam({ gemma3: says }) });
  const read = (name: string): Promise<string> => readFile(bench.path(name), "utf8");
  return {
    bench,
    simulator,
    read,
    start: async (argv, { ollama = true, env = {} } = {}) => {
      const host = ollama ? simulator.baseUrl("chat_completions") : "127.0.0.1:1";
      const terminal = await openTerminal([process.execPath, PROGRAM, ...argv], {
        cwd: bench.folder,
        columns: 100,
        rows: 40,
        env: { HOME: bench.folder, OLLAMA_HOST: host, ...env },
      });
      terminals.push(terminal);
      return terminal;
    },
    expectGood: async (file) => {
      expect(await read(file)).toMatch(/^# .*\n# yaml-language-server: \$schema=\S*config\.schema\.json\n/);
      expect(await bench.run(["--validate", file, "--strict"])).toMatchObject({ code: 0, err: "" });
    },
  };
}

/** Presses keys when the question is there, one question after the other. */
async function answer(
  seen: Terminal,
  ...steps: readonly (readonly [question: string | RegExp, ...keys: readonly string[]])[]
): Promise<void> {
  for (const [question, ...keys] of steps) {
    await seen.waitFor(question);
    for (const key of keys) await (key.startsWith("=") ? seen.type(key.slice(1)) : seen.press(key));
  }
}

/** The question asked a second time. */
const again = (question: string): RegExp => new RegExp(`(?:${question.replaceAll("?", "\\?")}[^]*){2}`);

/** The empty editor of a conversation. */
const EDITOR = /─{20}\n\s*\n─{20}/;

const PROJECT = ".massgen/config.yaml";

describe.skipIf(missing !== null).concurrent(`a first massgen${why}`, () => {
  it("finds the local server, writes a team of three in a few keys, and asks it the first question", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start([]);
    await answer(
      seen,
      ["How many agents?", "Enter"],
      ["gemma3, llama3.2, qwen3:8b", "Enter"],
      ["What may they do?", "Enter"],
      ["Ask the team something now?", "=What should a cache forget first?", "Enter"],
    );
    await seen.waitFor(/Final answer.*─{20}\n\s*\n─{20}/s);
    expect(await seen.screen({ history: true })).toContain("Forget what was used least.");
    // It goes on as a conversation.
    await answer(
      seen,
      [EDITOR, "=/history", "Enter"],
      [/> \/history.*What should a cache forget first\?.*─{20}\n\s*\n─{20}/s, "=/quit", "Enter"],
    );
    expect(await seen.waitForExit({ timeoutMs: 20_000 })).toBe(0);
    expect(new Set(on.simulator.requests.map(({ model }) => model))).toEqual(new Set(["gemma3", "llama3.2", "qwen3:8b"]));
    await on.expectGood(PROJECT);
    // The second time there is a config, and a question is what is missing.
    expect(
      (await on.bench.run(["--automation", "And then?"], { env: { OLLAMA_HOST: on.simulator.baseUrl("chat_completions") } })).code,
    ).toBe(0);
  });

  it("on a machine without anything takes a key, keeps it for the owner only, and goes on", async (context) => {
    const on = await openMachine(context);
    await writeFile(on.bench.path(".env"), "# mine\nOTHER=1\n");
    await chmod(on.bench.path(".env"), 0o644);
    const seen = await on.start([], { ollama: false });
    await answer(
      seen,
      ["How shall we begin?", "Enter"],
      ["Which key do you have?", "=groq", "Enter"],
      ["Key of Groq", "=sk-ant-of-somebody", "Enter"],
      ["looks like a key of Anthropic", "C-u", "=gsk_a-secret-key", "Enter"],
      ["Another one?", "Enter"],
      ["Where shall they be kept?", "Down", "Down", "Enter"],
      ["How many agents?", "Up", "Up", "Enter"],
      ["llama-3.3-70b-versatile", "Enter"],
      ["What may they do?", "Down", "Enter"],
      ["Ask the team something now?", "Enter"],
    );
    expect(await seen.waitForExit()).toBe(0);
    const screen = await seen.screen({ history: true });
    expect(screen).not.toContain("secret");
    expect(screen).not.toContain("somebody");
    expect(await on.read(".env")).toBe("# mine\nOTHER=1\nGROQ_API_KEY=gsk_a-secret-key\n");
    expect((await stat(on.bench.path(".env"))).mode & 0o777).toBe(0o600);
    await on.expectGood(PROJECT);
    expect(await on.read(PROJECT)).toContain("permission: read");
  });

  it("or shows the simulated team", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start([], { ollama: false });
    await answer(seen, ["How shall we begin?", "Down", "Down", "Enter"]);
    await seen.waitFor("simulated");
    expect(await seen.waitForExit({ timeoutMs: 20_000 })).toBe(0);
    expect(existsSync(on.bench.path(PROJECT))).toBe(false);
  });
});

describe.skipIf(missing !== null).concurrent(`leaving${why}`, () => {
  it.for([
    ["--quickstart", "C-c", [["How many agents?"]]],
    ["--quickstart", "Escape", [["How many agents?", "Enter"], ["Which models?", "Enter"], ["What may they do?"]]],
    [
      "--setup",
      "C-c",
      [
        ["Which key do you have?", "=openai", "Enter"],
        ["Key of OpenAI", "=sk-secret-secret", "Enter"],
        ["Another one?", "Enter"],
        ["Where shall they be kept?"],
      ],
    ],
    ["--setup", "Escape", [["Which key do you have?"]]],
    [
      "--init",
      "Escape",
      [["What is it for?", "Enter"], ["How many agents?", "Enter"], ["Which models?", "Enter"], ["Where shall it be kept?"]],
    ],
    ["--select", "C-c", [["Type a part of its name"]]],
  ] as const)("%s with %s: exit 4, nothing written", async ([flag, key, steps], context) => {
    const on = await openMachine(context);
    const seen = await on.start([flag]);
    await answer(seen, ...steps);
    await seen.press(key);
    expect(await seen.waitForExit()).toBe(4);
    expect(await seen.screen({ history: true })).toMatch(/Cancelled\. Nothing was written\./);
    expect(await readdir(on.bench.folder)).toEqual([]);
  });

  it("told to stop from outside: exit 4, nothing written", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start(["--quickstart"]);
    await seen.waitFor("How many agents?");
    process.kill(seen.pid, "SIGTERM");
    expect(await seen.waitForExit()).toBe(4);
    expect(await readdir(on.bench.folder)).toEqual([]);
  });
});

describe.skipIf(missing !== null).concurrent(`--quickstart${why}`, () => {
  const untilThePlace = [
    ["How many agents?", "Enter"],
    ["Which models?", "Enter"],
    ["What may they do?", "Enter"],
  ] as const;

  it("asks before it replaces a file, and keeps the old one", async (context) => {
    const on = await openMachine(context);
    await mkdir(on.bench.path(".massgen"));
    await on.bench.write(PROJECT, "mine\n");
    const seen = await on.start(["--quickstart"]);
    await answer(seen, ...untilThePlace, ["is there already", "Down", "Enter"], ["Ask the team", "Enter"]);
    expect(await seen.waitForExit()).toBe(0);
    expect(await on.read(`${PROJECT}.bak`)).toBe("mine\n");
    await on.expectGood(PROJECT);
  });

  it("or writes another one", async (context) => {
    const on = await openMachine(context);
    await mkdir(on.bench.path(".massgen"));
    await on.bench.write(PROJECT, "mine\n");
    const seen = await on.start(["--quickstart", "Why?"]);
    await answer(seen, ...untilThePlace, ["is there already", "Enter"], ["Which file?", "Enter"], ["Ask it now?", "Down", "Enter"]);
    expect(await seen.waitForExit()).toBe(0);
    expect(await on.read(PROJECT)).toBe("mine\n");
    await on.expectGood("team.yaml");
  });

  it("lets every agent be chosen, by typing a part of the name, and asks how hard it shall think", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start(["--quickstart"], { env: { OPENAI_API_KEY: "sk-x" } });
    await answer(
      seen,
      ["How many agents?", "Up", "Enter"],
      ["Which models?", "Down", "Down", "Enter"],
      ["Provider for agent 1?", "Enter"],
      ["Model for agent 1?", "=5nano", "Enter"],
      ["How hard shall it think?", "Down", "Down", "Down", "Enter"],
      ["Provider for agent 2?", "Down", "Enter"],
      ["Model for agent 2?", "=nothing like it", "Enter"],
      ["Name of the model?", "=qwen3:8b", "Enter"],
      ["What may they do?", "Down", "Down", "Enter"],
      ["Ask the team", "Enter"],
    );
    expect(await seen.waitForExit()).toBe(0);
    const text = await on.read(PROJECT);
    expect(text).toContain("type: openai\n      model: gpt-5-nano\n      reasoning:\n        effort: high\n      cwd: workspace");
    expect(text).toContain("type: ollama\n      model: qwen3:8b");
    expect(text).toContain("permission: write");
    await on.expectGood(PROJECT);
  });
});

describe.skipIf(missing !== null).concurrent(`--setup, --init, --select${why}`, () => {
  it("--setup shows what is set, and says when another value wins", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start(["--setup"], { env: { GROQ_API_KEY: "gsk_from-the-shell" } });
    await seen.waitFor(/GROQ_API_KEY +set/);
    await answer(
      seen,
      ["Which key do you have?", "=groq", "Enter"],
      ["Key of Groq", "=gsk_a-secret-key", "Enter"],
      ["Another one?", "Enter"],
      ["Where shall they be kept?", "Enter"],
      ["Another value of GROQ_API_KEY wins"],
    );
    expect(await seen.waitForExit()).toBe(0);
    expect(await seen.screen({ history: true })).not.toMatch(/secret|from-the-shell/);
    expect(await on.read(".config/massgen/.env")).toBe("GROQ_API_KEY=gsk_a-secret-key\n");
  });

  it("--init builds a team for a use, shows it, and can begin again", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start(["--init"], { ollama: false, env: { OPENAI_API_KEY: "sk-x" } });
    await answer(
      seen,
      ["What is it for?", "Down", "Enter"],
      ["How many agents?", "Up", "Enter"],
      ["Which models?", "Enter"],
      ["enable_web_search: true"],
      ["Where shall it be kept?", "Up", "Enter"],
      // From the beginning: the second time it is about data, and kept at home.
      [again("What is it for?"), "Down", "Down", "Down", "Enter"],
      [again("How many agents?"), "Enter"],
      [again("Which models?"), "Enter"],
      ["enable_code_execution: true"],
      [again("Where shall it be kept?"), "Down", "Enter"],
      ["Ask the team", "Enter"],
    );
    expect(await seen.waitForExit()).toBe(0);
    await on.expectGood(".config/massgen/config.yaml");
  });

  it("--init takes an MCP server by the command that starts it", async (context) => {
    const on = await openMachine(context);
    const seen = await on.start(["--init"], { ollama: false, env: { OPENAI_API_KEY: "sk-x" } });
    await answer(
      seen,
      ["What is it for?", "Up", "Up", "Enter"],
      ["How many agents?", "Up", "Up", "Enter"],
      ["Which models?", "Enter"],
      ["Command or address of the server?", "=npx -y @modelcontextprotocol/server-everything", "Enter"],
      ["Name for it?", "Enter"],
      ["Where shall it be kept?", "Enter"],
      ["Ask the team", "Enter"],
    );
    expect(await seen.waitForExit()).toBe(0);
    expect(await on.read(PROJECT)).toContain("mcp_servers:\n        - name: everything\n          type: stdio\n          command: npx\n");
    await on.expectGood(PROJECT);
  });

  it("--select finds a team by a part of its name and runs it", async (context) => {
    const on = await openMachine(context);
    await on.bench.write("cachers.yaml", "agents:\n  - {id: a, backend: {type: ollama, model: gemma3}}\n");
    const seen = await on.start(["--select"]);
    await answer(seen, ["Type a part of its name", "=cachers", "Enter"], ["Ask the team", "=Why?", "Enter"]);
    await seen.waitFor(/Final answer.*Forget what was used least\..*─{20}\n\s*\n─{20}/s);
    await seen.press("C-d");
    expect(await seen.waitForExit({ timeoutMs: 20_000 })).toBe(0);
  });
});
