import { validateConfig } from "@massgen/config";
import { describe, expect, it } from "vitest";
import { forecastSubject } from "../../src/dry-run/forecast-subject.js";
import { standInTeam } from "../../src/dry-run/stand-in-team.js";

const load = (backends: readonly object[], orchestrator: object = {}) =>
  validateConfig({ agents: backends.map((backend, index) => ({ id: `a${index}`, backend })), orchestrator });

describe("the team of a dry run", () => {
  it("has a made-up key for each agent, by which it is known, and no key of the user's", () => {
    const { loaded, agentOfKey, missingKeys } = standInTeam(
      load([
        { type: "openai", model: "gpt-5", api_key: "sk-of-the-user" },
        { type: "claude", model: "claude-haiku-4-5" },
      ]),
      { GEMINI_API_KEY: "x" },
    );
    const keys = loaded.config!.agents.map(({ backend }) => backend.apiKey!);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).not.toContain("sk-of-the-user");
    expect(keys.map(agentOfKey)).toEqual(["a0", "a1"]);
    expect(agentOfKey("sk-of-the-user")).toBeNull();
    expect(missingKeys).toEqual([{ agent: "a1", variables: ["ANTHROPIC_API_KEY"] }]);
  });

  it("keeps type, model and address, and waits for no rate limit", () => {
    const { loaded } = standInTeam(
      load([{ type: "chatcompletion", model: "m", base_url: "https://gateway.example/v1", enable_rate_limit: true }]),
      {},
    );
    expect(loaded.config!.agents[0]!.backend).toMatchObject({
      type: "chatcompletion",
      baseUrl: "https://gateway.example/v1",
      rateLimited: false,
    });
  });

  it("gives an Azure resource that is not named an address, and does not load an adapter of the user's", () => {
    const { loaded, notes } = standInTeam(load([{ type: "azure_openai" }, { type: "npm:their-adapter", model: "m" }]), {});
    const [azure, foreign] = loaded.config!.agents;
    expect(azure!.backend.baseUrl).toMatch(/^https:/);
    expect(foreign!.backend.type).toBe("chatcompletion");
    expect(notes).toEqual([expect.stringContaining("npm:their-adapter of a1 is not loaded")]);
  });

  it("leaves a folder of the user's alone and runs no check of answers on made-up ones, and says both", () => {
    const { loaded, notes } = standInTeam(
      load(
        [
          { type: "ollama", model: "m", cwd: "/home/me/work" },
          { type: "ollama", model: "m", cwd: "ws" },
        ],
        { verify: "npm test" },
      ),
      {},
    );
    expect(loaded.config!.agents.map(({ hands }) => hands!.cwd)).toEqual(["dry_run_agent1", "ws"]);
    expect(loaded.config!.orchestrator.verify).toBeNull();
    expect(notes).toEqual([expect.stringMatching(/^\/home\/me\/work is left alone/), expect.stringContaining('"npm test"')]);
  });
});

describe("what a forecast is made from", () => {
  it("prompts and tools as seen at the wire, prices by the table, local models free", () => {
    const config = load([
      { type: "openai", model: "gpt-5-mini", max_tokens: 500 },
      { type: "ollama", model: "qwen3" },
      { type: "groq", model: "never-heard-of" },
      { type: "npm:their-adapter", model: "gpt-5-mini" },
    ]).config!;
    const { agents, mode } = forecastSubject({
      config,
      seen: new Map([
        ["a0", { tokens: 900, tools: ["new_answer", "vote"] }],
        ["a1", { tokens: 1200, tools: ["new_answer", "vote", "mcp__desk__lookup"] }],
      ]),
      prices: null,
    });
    expect(mode).toBe("voting");
    expect(agents).toMatchObject([
      { promptTokens: 900, hasTools: false, maxOutputTokens: 500, price: { input: 0.25, output: 2 }, isLocal: false },
      { promptTokens: 1200, hasTools: true, price: { input: 0, output: 0 }, isLocal: true },
      { promptTokens: 1200, hasTools: false, price: null },
      { price: null },
    ]);
  });
});
