// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { type ConfigOverrides, DEFAULT_SYSTEM_MESSAGE, parseConfig, quickConfig, requireConfig, validateConfig } from "../src/index.js";

const agents = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, backend: { type: "openrouter", model: "m" } }));

describe("flags", () => {
  const load = (count: number, overrides: ConfigOverrides) =>
    validateConfig({ agents: agents(count), timeout_settings: { orchestrator_timeout_seconds: 5 } }, { overrides });

  it("win over the file", () => {
    const config = requireConfig(
      load(1, {
        orchestratorTimeoutSeconds: 9,
        model: "n",
        baseUrl: "http://localhost:1/v1",
        systemMessage: "Say ${this}.",
        displayType: "simple",
        automationMode: true,
        debug: true,
        loggingEnabled: false,
      }),
    );
    expect(config).toMatchObject({
      timeouts: { orchestratorTimeoutSeconds: 9 },
      agents: [{ systemMessage: "Say ${this}.", backend: { model: "n", baseUrl: "http://localhost:1/v1" } }],
      ui: { displayType: "simple", automationMode: true, debug: true, loggingEnabled: false },
    });
  });

  it("add context paths to those of the file, and files for the agents where none has any", () => {
    const contextPaths = ["/a", { path: "/b", permission: "write" }];
    const bare = requireConfig(load(2, { contextPaths }));
    expect(bare.orchestrator.contextPaths).toEqual([
      { path: "/a", permission: "read", protectedPaths: [] },
      { path: "/b", permission: "write", protectedPaths: [] },
    ]);
    expect(bare.agents.map(({ hands }) => hands?.cwd)).toEqual(["workspace", "workspace"]);
    const text =
      "agents:\n  - {id: a, backend: {type: ollama, model: m, cwd: own}}\n  - {id: b, backend: {type: ollama, model: m}}\norchestrator: {context_paths: [./src, {path: /a, permission: write, protected_paths: [x]}]}\n";
    const { config, issues } = parseConfig(text, { overrides: { contextPaths } });
    expect(issues).toEqual([]);
    expect(config?.orchestrator.contextPaths).toEqual([
      { path: "./src", permission: "read", protectedPaths: [] },
      { path: "/a", permission: "write", protectedPaths: ["x"] },
      { path: "/b", permission: "write", protectedPaths: [] },
    ]);
    expect(config?.agents.map(({ hands }) => hands?.cwd)).toEqual(["own", undefined]);
  });

  it("make good what the file lacks", () => {
    expect(
      parseConfig("agent: {id: a, backend: {type: vllm}}", { overrides: { model: "vllm/org/m" } }).config?.agents[0]?.backend.model,
    ).toBe("org/m");
  });

  it("for one agent are a usage error with several (CFG130, exit 2)", () => {
    const loaded = load(2, { model: "n", systemMessage: "x" });
    expect(loaded.issues).toMatchObject([
      { code: "CFG130", message: "the model, system message from the command line fits a config of one agent, and this one has 2" },
    ]);
    expect(() => requireConfig(loaded)).toThrow(expect.objectContaining({ code: "USAGE", exitCode: 2 }));
    expect(load(2, { orchestratorTimeoutSeconds: 3 }).config).not.toBeNull();
  });

  it("answer to the same rules", () => {
    expect(load(1, { orchestratorTimeoutSeconds: -1 }).issues).toMatchObject([
      { code: "CFG082", path: "timeout_settings.orchestrator_timeout_seconds" },
    ]);
  });
});

describe("a quick run", () => {
  it("is a team of one with the default text", () => {
    expect(requireConfig(quickConfig({ model: "groq/llama-3.3-70b-versatile" })).agents).toMatchObject([
      { id: "agent1", systemMessage: DEFAULT_SYSTEM_MESSAGE, backend: { type: "groq", model: "llama-3.3-70b-versatile", baseUrl: null } },
    ]);
  });

  it.each([
    [{ model: "ollama/llama3.2" }, "ollama", "llama3.2"],
    [{ model: "my-model", baseUrl: "http://localhost:8000/v1" }, "chatcompletion", "my-model"],
    [{ backend: "Open Router", model: "openai/gpt-5" }, null, null],
    [{ backend: "openrouter", model: "openai/gpt-5" }, "openrouter", "openai/gpt-5"],
    [{ backend: "groq", model: "groq/m" }, "groq", "m"],
    [{ backend: "qwen" }, "qwen", "qwen-max"],
    [{ backend: "kimi", model: "kimi-k2" }, "moonshot", "kimi-k2"],
    [{ model: "gpt-5-nano" }, "openai", "gpt-5-nano"],
  ])("%j is %s with %s", (options, type, model) => {
    const { config, issues } = quickConfig(options);
    if (type === null) expect(issues).toMatchObject([{ code: "CFG030", hint: expect.stringMatching(/^Did you mean 'openrouter'\?/) }]);
    else expect(config?.agents[0]?.backend).toMatchObject({ type, model });
  });

  it("without a way to the provider says what is near", () => {
    expect(quickConfig({ model: "gtp-5-nano" }).issues).toMatchObject([
      { code: "CFG025", hint: expect.stringMatching(/^Did you mean 'gpt-5-nano'/) },
    ]);
    expect(quickConfig({ backend: "vllm" }).issues).toMatchObject([{ code: "CFG031" }]);
    expect(quickConfig({}).issues).toMatchObject([{ code: "CFG031" }]);
  });

  it("takes texts from the shell as they are", () => {
    expect(quickConfig({ model: "gpt-5", systemMessage: "Use ${NAME} and $${X}." }).config?.agents[0]?.systemMessage).toBe(
      "Use ${NAME} and $${X}.",
    );
  });
});
