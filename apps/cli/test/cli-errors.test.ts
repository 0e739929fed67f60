import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.js";
import { createSession } from "../src/session.js";
import { type FakeIoOptions, fakeIo } from "./fake-io.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cli-"));
  const files: Readonly<Record<string, string>> = {
    "broken.yaml": "agents:\n  - id: a\n   backend: x\n",
    "unknown-type.yaml": "agents:\n  - id: a\n    backend: {type: claud, model: m}\n",
    "two-errors.yaml":
      "agents:\n  - id: a\n    backend: {type: groq, model: m, max_retries: x}\n  - id: a\n    backend: {type: groq, model: m}\n",
    "no-key.yaml": "agents:\n  - {id: a, backend: {type: groq, model: m}}\n  - {id: b, backend: {type: qwen, model: m}}\n",
    "unknown-key.yaml": "agents:\n  - id: a\n    backend: {type: groq, model: m}\ntimout_settings: {}\n",
    "two.yaml": "agents:\n  - {id: a, backend: {type: ollama, model: m}}\n  - {id: b, backend: {type: ollama, model: m}}\n",
    "good.yaml": "agents:\n  - {id: a, backend: {type: ollama, model: m}}\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await mkdir(join(folder, "a-folder.yaml"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function massgen(
  argv: readonly string[],
  options: Partial<FakeIoOptions> = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const fake = fakeIo({ cwd: folder, ...options });
  const code = await runCli(argv, fake.io, createSession());
  return { code, out: fake.out(), err: fake.err() };
}

describe("what goes wrong before a run", () => {
  it.each([
    [["--config", "nope.yaml", "q"], "massgen: error: config file not found: nope.yaml."],
    [["--config", "god.yaml", "q"], "Did you mean 'good.yaml'?"],
    [["--config", "broken.yaml", "q"], "massgen: error: broken.yaml:3:"],
    [["--config", "unknown-type.yaml", "q"], "massgen: error: unknown-type.yaml:3:"],
    [["--config", "unknown-type.yaml", "q"], "claude"],
    [["--config", "a-folder.yaml", "q"], "it is a folder"],
    [["--config", "no-key.yaml", "q"], 'massgen: error: Agent "a" (Groq) needs an API key: set GROQ_API_KEY.'],
    [["--config", "no-key.yaml", "q"], 'massgen: error: Agent "b" (Qwen) needs an API key: set QWEN_API_KEY or DASHSCOPE_API_KEY.'],
    [["--config", "@examples/nothing-like-it", "q"], "there is no example @examples/nothing-like-it"],
    [["--strict-validation", "--config", "unknown-key.yaml", "q"], "timout_settings"],
    [["--model", "gtp-5-mini", "q"], "Did you mean 'gpt-5-mini'"],
    [["--backend", "claud", "q"], "unknown backend type 'claud'"],
    [["--model", "claude-opus-4-6", "q"], "needs an API key: set ANTHROPIC_API_KEY."],
    [["--backend", "codex", "--model", "gpt-5.4", "q"], 'The backend type "codex" is known but not supported yet.'],
    [["q"], "There is no config"],
    [["--automation", "--config", "good.yaml"], "in automation mode nobody is asked for one"],
    [["--config", "good.yaml", "  "], "The question is empty."],
    [["--plan", "q"], "`--plan` is known but not supported yet."],
  ])("%j: exit 1, %j on stderr, nothing on stdout", async (argv, saying) => {
    const { code, out, err } = await massgen(argv);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(saying);
  });

  it("tells every error of a config, one line each", async () => {
    const { err } = await massgen(["--config", "two-errors.yaml", "q"]);
    expect(err.trim().split("\n")).toEqual([
      expect.stringMatching(/^massgen: error: two-errors\.yaml:3:\d+ .*max_retries/),
      expect.stringMatching(/^massgen: error: two-errors\.yaml:4:\d+ .*'a'/),
    ]);
  });

  it("without any config names the ways out, and the key that is set without showing it", async () => {
    const empty = await mkdtemp(join(tmpdir(), "massgen-first-"));
    const first = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { io, err } = fakeIo({ cwd: empty, env });
      expect(await runCli(["q"], io, createSession())).toBe(1);
      return err();
    };
    expect(await first({})).toMatch(/--config <file>.*--model <name>.*massgen doctor.*massgen demo/);
    const withKey = await first({ GROQ_API_KEY: "gsk-very-secret" });
    expect(withKey).toMatch(/There is a key for Groq: massgen --backend groq "…"/);
    expect(withKey).not.toContain("secret");
    await rm(empty, { recursive: true });
  });

  it("usage errors exit 2 with one line of usage", async () => {
    expect(await massgen(["--confg", "x"])).toEqual({
      code: 2,
      out: "",
      err: "massgen: error: unknown option '--confg' (Did you mean --config?)\nusage: massgen [options] [question]   (all options: massgen --help)\n",
    });
    expect(await massgen(["--config", "two.yaml", "--model", "x", "q"])).toMatchObject({ code: 2, out: "" });
  });

  it("in automation mode each error is one ERROR line with what to do", async () => {
    const { code, out, err } = await massgen(["--automation", "--config", "no-key.yaml", "q"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err.trim().split("\n")).toEqual([
      'ERROR: Agent "a" (Groq) needs an API key: set GROQ_API_KEY.',
      expect.stringMatching(/^ERROR: Agent "b" \(Qwen\) needs an API key: .* \.env file: \.\/\.env, /),
    ]);
  });

  it("an empty pipe is no question, and is not waited for (TT-02 7)", async () => {
    const { code, out, err } = await massgen(["--config", "good.yaml"], { stdin: " \n" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("standard input is empty");
  });

  it("an interrupt while standard input is read exits 4", async () => {
    const fake = fakeIo({ cwd: folder, stdin: "" });
    const never = { ...fake.io, readStdin: () => new Promise<string>(() => {}) };
    const running = runCli(["--automation", "--config", "good.yaml"], never, createSession());
    fake.interrupt();
    expect(await running).toBe(4);
    expect(fake.out()).toBe("");
    expect(fake.err()).toBe("INTERRUPTED\n");
  });

  it("names the bug and where to look for what nobody expected, the stack only with --debug", async () => {
    const fake = fakeIo({ cwd: folder, stdin: "" });
    const broken = { ...fake.io, readStdin: () => Promise.reject(new Error("disk\u001b[2J on fire")) };
    expect(await runCli(["--config", "good.yaml"], broken, createSession())).toBe(2);
    expect(fake.err()).toContain("massgen: error: internal error: disk␛[2J on fire\n");
    expect(fake.err()).not.toContain("cli-errors.test");
    expect(await runCli(["--debug", "--config", "good.yaml"], broken, createSession())).toBe(2);
    expect(fake.err()).toContain("cli-errors.test");
  });
});

describe("checking a config", () => {
  it("says on stdout that it is good", async () => {
    expect(await massgen(["--validate", "good.yaml"])).toEqual({ code: 0, out: "✅ Configuration is valid!\n", err: "" });
  });

  it("says on stderr what is not, with the line, and exits 1", async () => {
    const { code, out, err } = await massgen(["--validate", "unknown-type.yaml"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/unknown-type\.yaml:3:\d+[\s\S]*backend: \{type: claud[\s\S]*\^/);
  });

  it("warnings are no errors, unless --strict", async () => {
    expect(await massgen(["--validate", "unknown-key.yaml"])).toMatchObject({ code: 0, err: expect.stringContaining("timout_settings") });
    expect(await massgen(["--validate", "unknown-key.yaml", "--strict"])).toMatchObject({ code: 1, out: "" });
  });

  it("gives one JSON object, good or not", async () => {
    const good = await massgen(["--validate", "good.yaml", "--json"]);
    expect({ ...good, out: JSON.parse(good.out) }).toMatchObject({ code: 0, err: "", out: { valid: true, errors: [] } });
    const bad = await massgen(["--validate", "unknown-type.yaml", "--json"]);
    expect({ ...bad, out: JSON.parse(bad.out) }).toMatchObject({ code: 1, err: "", out: { valid: false, error_count: 1 } });
  });

  it("a file that is not there: exit 1", async () => {
    expect(await massgen(["--validate", "nope.yaml"])).toMatchObject({ code: 1, out: "", err: expect.stringContaining("not found") });
  });
});

describe("help and version among other flags", () => {
  it.each([
    [["--automation", "--help"], /^Usage: massgen \[options\]/],
    [["help", "demo"], /^Usage: massgen demo/],
    [["demo", "--no-logs", "-V"], /^massgen 1\.2\.3\n$/],
  ])("%j", async (argv, expected) => {
    const { code, out, err } = await massgen(argv);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(expected);
  });
});

describe("example configs", () => {
  it("are listed by name with their first comment, and printed as they are", async () => {
    const examples = join(folder, "examples");
    await mkdir(join(examples, "basic"), { recursive: true });
    const text = "# Three of a kind\nagents: []\n";
    await writeFile(join(examples, "basic", "three.yaml"), text);
    const env = { MASSGEN_EXAMPLES_DIR: examples };
    expect(await massgen(["--list-examples"], { env })).toEqual({ code: 0, out: "@examples/basic/three.yaml  Three of a kind\n", err: "" });
    expect(JSON.parse((await massgen(["--list-examples", "--json"], { env })).out)).toEqual([
      { name: "@examples/basic/three.yaml", description: "Three of a kind" },
    ]);
    expect(await massgen(["--example", "three"], { env })).toEqual({ code: 0, out: text, err: "" });
    expect(await massgen(["--example", "thre"], { env })).toEqual({ code: 0, out: text, err: "" });
    expect(await massgen(["--example", "four"], { env })).toMatchObject({ code: 1, out: "" });
  });

  it("--automation on a terminal without a question is a wrong use, and a model for several agents a wrong command line", async () => {
    expect(await massgen(["--automation", "--config", "two.yaml"], { isTerminal: true })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ERROR: There is no question/),
    });
    for (const flag of ["--model", "--system-message", "--base-url"])
      expect(await massgen(["--config", "two.yaml", flag, "gpt-5", "Why?"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("this one has 2"),
      });
  });
});
