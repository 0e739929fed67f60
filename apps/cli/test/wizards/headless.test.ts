import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

let simulator: Simulator;
let folder = "";
beforeAll(async () => {
  const respond = scriptedTeam({
    "qwen3:8b": [step.answer("The least useful thing."), step.vote("agent1", "mine"), step.text("The least useful thing.")],
  });
  simulator = await startSimulator({ models: ["qwen3:8b"], respond });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-headless-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | null;
}

/** No Ollama of this machine is met: a test names its own. */
async function massgen(argv: readonly string[], { env = {}, stdin = "" }: Around = {}) {
  const fake = fakeIo({ cwd: folder, stdin, env: { OLLAMA_HOST: "127.0.0.1:1", ...env } });
  const code = await runCli(argv, fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}
const path = (...names: readonly string[]): string => join(folder, ...names);
const read = (...names: readonly string[]): Promise<string> => readFile(path(...names), "utf8");
const keys = { OPENAI_API_KEY: "sk-one", ANTHROPIC_API_KEY: "sk-ant-two", GROQ_API_KEY: "gsk_three", CEREBRAS_API_KEY: "four" };

/** Whatever is written is good to the last warning. */
async function expectValid(file: string, env: Readonly<Record<string, string>> = keys): Promise<void> {
  expect(await massgen(["--validate", file, "--strict"], { env })).toMatchObject({ code: 0, err: "" });
}

describe("--quickstart --headless", () => {
  it("writes one agent for each provider that is ready, in the order of preference, at most three", async () => {
    const { code, out, err } = await massgen(["--quickstart", "--headless"], { env: keys });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `CONFIG: ${path(".massgen", "config.yaml")}\nAGENT: openai/gpt-5.4\nAGENT: claude/claude-opus-4-6\nAGENT: cerebras/llama-3.3-70b\nRUN: massgen "your question"\nSTATUS: SUCCESS\n`,
    );
    expect(await read(".massgen", "config.yaml")).toMatch(/^# 3 agents: .* Keys: OPENAI_API_KEY, ANTHROPIC_API_KEY, CEREBRAS_API_KEY\.\n/);
    await expectValid(path(".massgen", "config.yaml"));
  });

  it("takes the agents it is told, and a server on this machine, and asks them when there is a question", async () => {
    const env = { OLLAMA_HOST: simulator.baseUrl("chat_completions") };
    const { code, out } = await massgen(
      [
        "--quickstart",
        "--headless",
        "--quickstart-agent",
        "id=ada,backend=ollama,model=qwen3:8b",
        "--no-display",
        "What does a cache forget?",
      ],
      { env },
    );
    expect(code).toBe(0);
    expect(out).toContain("STATUS: SUCCESS\n");
    expect(out).toContain("The least useful thing.");
    expect(await read(".massgen", "config.yaml")).toContain("- id: ada\n");
  });

  it("a pipe instead of a terminal is as good as --headless, and --config names the file", async () => {
    const agent = "type=openai,model=o3-high";
    expect(await massgen(["--quickstart", "--quickstart-agent", agent, "--config", "teams/a.yaml"], { env: keys })).toMatchObject({
      code: 0,
    });
    expect(await read("teams", "a.yaml")).toContain("type: openai\n      model: o3\n      reasoning:\n        effort: high\n");
    await expectValid(path("teams", "a.yaml"));
  });

  it("without anything to ask says what to do, leaves a template, and writes no config", async () => {
    const first = await massgen(["--quickstart", "--headless"]);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(
      /^STEP: Set a key: export OPENAI_API_KEY=….*\nSTEP: .*env\.template.*\nSTEP: .*local server.*\nSTEP: .*massgen demo\nTEMPLATE: .*\nSTATUS: NEEDS_CONFIG\n$/,
    );
    expect(await readdir(path(".massgen"))).toEqual(["env.template"]);
    await writeFile(path(".massgen", "env.template"), "mine\n");
    expect((await massgen(["--quickstart", "--headless"])).out).toBe(first.out);
    expect(await read(".massgen", "env.template")).toBe("mine\n");
  });

  it("names the keys that the given agents lack", async () => {
    const agents = ["--quickstart-agent", "model=gpt-5-mini", "--quickstart-agent", "backend=groq", "--quickstart-agent", "backend=gemini"];
    const { code, out } = await massgen(["--quickstart", "--headless", ...agents], { env: { OPENAI_API_KEY: "sk-x" } });
    expect({ code, step: out.split("\n")[0] }).toEqual({
      code: 1,
      step: "STEP: Set the keys: export GROQ_API_KEY=… and export GOOGLE_API_KEY=…",
    });
    expect(existsSync(path(".massgen", "config.yaml"))).toBe(false);
  });

  it.each([
    ["model=nobody-knows-this", 1, "does not tell its provider"],
    ["model=gpt-5-mimi", 1, "no default"],
    ["backend=ollama", 1, "has no default model"],
    ["backend=opneai", 1, "is no backend type"],
    ["backend=claude_code", 1, "not supported yet"],
    ["backend=groq,reasoning_effort=high", 1, "takes no reasoning_effort"],
    ["backend", 2, "takes key=value"],
    ["backend=", 2, "takes key=value"],
    ["backend=groq,type=openai", 2, "backend twice"],
    ["provider=groq", 2, 'no key "provider"'],
    ["id=ada", 2, "needs backend=… or model=…"],
    ["model=gpt-5,reasoning_effort=most", 2, "low, medium, high"],
  ])("--quickstart-agent %s: exit %i", async (agent, code, saying) => {
    const ended = await massgen(["--quickstart", "--headless", "--quickstart-agent", agent], { env: keys });
    // A misspelt model of a known family is taken as it is: new models must work on their first day.
    if (agent === "model=gpt-5-mimi") return expect(ended.code).toBe(0);
    expect(ended).toMatchObject({ code, out: "", err: expect.stringContaining(saying) });
    expect(await readdir(folder)).toEqual([]);
  });

  it("replaces nothing, and says which ways are left", async () => {
    await mkdir(path(".massgen"));
    await writeFile(path(".massgen", "config.yaml"), "mine\n");
    const { code, err } = await massgen(["--quickstart", "--headless"], { env: keys });
    expect(code).toBe(1);
    expect(err).toContain("config.yaml is there already");
    expect(err).toContain("--config <path>");
    expect(await read(".massgen", "config.yaml")).toBe("mine\n");
  });
});

describe("--generate-config", () => {
  it.each([
    [["--config-model", "gpt-5-mini"], 2, "model: gpt-5-mini"],
    [["--config-backend", "claude", "--config-agents", "3"], 3, "model: claude-opus-4-6"],
    [["--config-backend", "chatcompletion", "--config-model", "mine", "--config-agents", "1"], 1, "model: mine"],
    [["--config-model", "gpt-5-mini", "--config-agent-id", "ada"], 1, "- id: ada\n"],
    [["--config-docker"], 2, "command_line_execution_mode: docker\n"],
    [["--config-context-path", "."], 2, "- path: .\n      permission: read\n"],
    [[], 2, "model: gpt-5.4"],
  ] as const)("with %j writes %i agents", async (flags, count, line) => {
    const { code, out } = await massgen(["--generate-config", "team.yaml", ...flags], { env: keys });
    expect({ code, out }).toEqual({ code: 0, out: `CONFIG: ${path("team.yaml")}\nRUN: massgen --config team.yaml "your question"\n` });
    const text = await read("team.yaml");
    expect(text.match(/^ {2}- id: /gm)).toHaveLength(count);
    expect(text).toContain(line);
    await expectValid("team.yaml");
  });

  it("needs no key, and says which one a run will need", async () => {
    const { code, err } = await massgen(["--generate-config", "team.yaml", "--config-backend", "groq"]);
    expect({ code, err }).toEqual({ code: 0, err: "massgen: note: GROQ_API_KEY is not set yet; a run needs it\n" });
  });

  it.each([
    [["--generate-config", "team.txt", "--config-model", "gpt-5"], 2, "writes a .yaml file"],
    [["--generate-config", "team.yaml", "--config-agents", "0"], 2, "whole number above 0"],
    [["--generate-config", "team.yaml", "--config-agents", "27"], 2, "at most 26"],
    [["--generate-config", "team.yaml", "--config-agents", "2", "--config-agent-id", "a"], 2, "--config-agents 1"],
    [["--generate-config", "team.yaml"], 1, "--config-model"],
    [["--quickstart", "--headless", "--config", "team"], 2, "names the .yaml file to write"],
    [["--quickstart", "--headless", "--config", "@examples/single_groq"], 2, "names the .yaml file to write"],
    [["--generate-config", "/dev/null/team.yaml", "--config-model", "gpt-5"], 1, "cannot be written"],
  ] as const)("%j: exit %i, and nothing is written", async (argv, code, saying) => {
    expect(await massgen(argv)).toMatchObject({ code, out: "", err: expect.stringContaining(saying) });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("--setup --headless", () => {
  it("stores the keys it is piped, for the owner only, and shows none", async () => {
    await mkdir(path(".config", "massgen"), { recursive: true });
    await writeFile(path(".config", "massgen", ".env"), "# mine\nOTHER=1\nGROQ_API_KEY=gsk_the-old-one\n");
    const stdin = "GROQ_API_KEY=gsk_a-new-secret\nexport OPENAI_API_KEY='sk-another-secret'\n";
    const { code, out, err } = await massgen(["--setup"], { stdin });
    expect(code).toBe(0);
    expect(out).toMatch(/^STORED: GROQ_API_KEY, OPENAI_API_KEY\nFILE: .*\.env\n(KEY: .*\n)+STATUS: SUCCESS\n$/);
    expect(out).toMatch(/^KEY: OPENAI_API_KEY +set$/m);
    expect(out + err).not.toContain("secret");
    expect(await read(".config", "massgen", ".env")).toBe(
      "# mine\nOTHER=1\nGROQ_API_KEY=gsk_a-new-secret\nOPENAI_API_KEY=sk-another-secret\n",
    );
    expect((await stat(path(".config", "massgen", ".env"))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["PATH=/usr/bin\n", "PATH is no variable of a provider"],
    ["OPENAI_API_KEY=hush hush secret\n", "OPENAI_API_KEY: A key has no spaces"],
    ["OPENAI_API_KEY=sk-ant-secret-secret\n", "looks like a key of Anthropic"],
    ["GROQ_API_KEY=gsk_good_secret\nnot a line with secret\n", "line 2 of standard input"],
    ["GROQ_API_KEY=\n", "Paste the key"],
  ])("%j is refused whole, without a word of what is in it", async (stdin, saying) => {
    const { code, err } = await massgen(["--setup", "--headless"], { stdin });
    expect(code).toBe(1);
    expect(err).toContain(saying);
    expect(err).not.toContain("secret");
    expect(await readdir(folder)).toEqual([]);
  });

  it("says what is set, and what to do when nothing is", async () => {
    expect(await massgen(["--setup", "--headless"], { stdin: null })).toMatchObject({
      code: 1,
      out: expect.stringContaining("STATUS: NEEDS_CONFIG"),
    });
    expect(await massgen(["--setup", "--headless"], { env: keys })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/GROQ_API_KEY +set\n/),
    });
  });
});

describe("--select and --init without a terminal", () => {
  it("--select --headless lists the teams: of the project, of the user, of the folder, the examples; nothing that is no team", async () => {
    await mkdir(path(".config", "massgen", "agents"), { recursive: true });
    await mkdir(path(".massgen"));
    const team = "agents:\n  - {id: a, backend: {type: openai, model: gpt-5-mini}}\n";
    await writeFile(path(".massgen", "config.yaml"), team);
    await writeFile(path(".config", "massgen", "agents", "mine.yaml"), team);
    await writeFile(path("here.yml"), team.replace("gpt-5-mini", '"\\e[31mred"'));
    await writeFile(path("broken.yaml"), "agents:\n  - {id: a, backend: {type: nobody, model: x}}\n");
    await writeFile(path("compose.yaml"), "services:\n  web: {image: nginx}\n");
    await writeFile(path("unreadable.yaml"), "agents: [\n");
    const { code, out } = await massgen(["--select", "--headless"], { env: keys });
    expect(code).toBe(0);
    const rows = out.split("\n").map((row) => row.split("\t"));
    expect(rows.slice(0, 4)).toEqual([
      [".massgen/config.yaml", "1 agent: gpt-5-mini"],
      ["mine", "1 agent: gpt-5-mini"],
      ["broken.yaml", "has errors: see massgen --validate"],
      ["here.yml", "1 agent: ␛[31mred"],
    ]);
    expect(rows[4]?.[0]).toMatch(/^@examples\//);
  });

  it.each([
    ["--select", "--select --headless"],
    ["--init", "--generate-config"],
  ])("%s is an error that names the way without questions", async (flag, way) => {
    expect(await massgen([flag])).toMatchObject({ code: 1, out: "", err: expect.stringContaining(way) });
  });

  it("a bare massgen without config and terminal is an error that names the ways out, and writes nothing", async () => {
    const { code, err } = await massgen([], { env: keys });
    expect(code).toBe(1);
    for (const way of ["--config", "--model", "--quickstart"]) expect(err).toContain(way);
    expect(await readdir(folder)).toEqual([]);
  });
});
