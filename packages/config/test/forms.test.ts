import { describe, expect, it } from "vitest";
import { parseConfig, requireConfig, validateConfig } from "../src/index.js";

const agents = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, backend: { type: "openrouter", model: "m" } }));

describe("forms found in practice", () => {
  it.each([
    ["one agent", "agent: {id: a, backend: {type: groq}}"],
    ["one agent under agents", "agents: {id: a, backend: {type: groq}}"],
    ["agents by name", "agents: {a: {backend: {type: groq}}}"],
    ["an alias of the type in any spelling", "agents: [{id: a, backend: {type: ' GROQ '}}]"],
  ])("%s is a team", (_, yaml) => {
    expect(requireConfig(parseConfig(yaml)).agents).toMatchObject([{ id: "a", backend: { type: "groq" } }]);
  });

  it.each([
    ["Claude Code", "claude_code"],
    ["kimi", "moonshot"],
    ["nim", "nvidia_nim"],
    ["xai", "grok"],
    ["google", "gemini"],
    ["anthropic", "claude"],
    ["Azure-OpenAI", "azure_openai"],
  ])("type %s is %s", (written, type) => {
    expect(
      requireConfig(validateConfig({ agent: { id: "a", backend: { type: written, model: "m", cwd: "work" } } })).agents[0]?.backend.type,
    ).toBe(type);
  });

  it("display is ui, and ui wins", () => {
    const { ui } = requireConfig(
      validateConfig({
        agents: agents(1),
        display: { type: "simple", logging_enabled: false, live_timeline: true, show_agent_cards: true },
        ui: { type: "silent" },
      }),
    );
    expect(ui).toMatchObject({ displayType: "silent", loggingEnabled: false });
  });

  it("time limits are read in all three places, the proper one first", () => {
    const limit = (more: object) => requireConfig(validateConfig({ agents: agents(1), ...more })).timeouts.orchestratorTimeoutSeconds;
    const other = { timeout: { orchestrator_timeout_seconds: 5 } };
    expect(limit(other)).toBe(5);
    expect(limit({ orchestrator: other })).toBe(5);
    expect(limit({ orchestrator: other, timeout_settings: { orchestrator_timeout_seconds: 6 } })).toBe(6);
  });

  it("task is the question", () => {
    expect(requireConfig(validateConfig({ agents: agents(1), task: "Why?" })).prompt).toBe("Why?");
  });

  it("a model tells its provider and its effort", () => {
    const { config } = validateConfig({ agent: { id: "a", backend: { model: "o3-high" } } });
    expect(config?.agents[0]?.backend).toMatchObject({ type: "openai", model: "o3", params: { reasoning: { effort: "high" } } });
  });

  it("a rate limit file is recognised", () => {
    const { issues } = parseConfig("gemini:\n  default: {rpm: 7}\nopenai:\n  gpt-5: {rpm: 3}\n");
    expect(issues).toMatchObject([{ code: "CFG020", message: "this is a rate limit file, not a team" }]);
  });

  it.each([
    ["{id: '', backend: {type: groq}}", "'id' must not be empty"],
    [`{id: ${"x".repeat(101)}, backend: {type: groq}}`, "'id' has 101 characters; at most 100 are allowed"],
    ['{id: "a\\u001b[2J", backend: {type: groq}}', "'id' holds a control character: 'a�[2J'"],
    ["{id: [a], backend: {type: groq}}", "'id' must be text, found a list"],
    ["groq", "an agent must be a map, found the text 'groq'"],
  ])("agent %s is refused", (agent, message) => {
    expect(parseConfig(`agents: [${agent}]`).issues).toMatchObject([{ code: "CFG026", message }]);
  });
});
