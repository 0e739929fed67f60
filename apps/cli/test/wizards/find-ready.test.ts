import { draftTeam, onlyAnswers, suggestTeam } from "@massgen/config";
import { whyUnsupported } from "@massgen/sdk/team";
import { describe, expect, it } from "vitest";
import type { Ask } from "../../src/listings/ask-models.js";
import { findReady, type ReadyProvider } from "../../src/wizards/find-ready.js";

const nobody: Ask = ({ shownUrl }) => Promise.resolve({ because: `${shownUrl} cannot be reached` });
const ready = (env: Readonly<Record<string, string>>, ask: Ask = nobody): Promise<readonly ReadyProvider[]> =>
  findReady({ env, isSupported: (type) => whyUnsupported(type) === null, ask });
const types = (found: readonly ReadyProvider[]): readonly string[] => found.map(({ type }) => type);

describe("who can be asked from here", () => {
  it("is whose key is set, the preferred ones first, and never more than once for a key", async () => {
    const env = {
      GROQ_API_KEY: "k",
      ANTHROPIC_API_KEY: "k",
      OPENAI_API_KEY: "k",
      CEREBRAS_API_KEY: " ",
      XAI_API_KEY: "",
      OPENROUTER_API_KEY: "k",
    };
    expect(types(await ready(env))).toEqual(["openai", "claude", "openrouter", "groq"]);
  });

  it("is Azure only with an address, and nobody without a model to begin with", async () => {
    expect(types(await ready({ AZURE_OPENAI_API_KEY: "k", POE_API_KEY: "k" }))).toEqual([]);
    expect(types(await ready({ AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "https://x.openai.azure.com" }))).toEqual([
      "azure_openai",
    ]);
  });

  it("is a server on this machine that has a model, and no server elsewhere is asked", async () => {
    const asked: string[] = [];
    const ask: Ask = ({ url, shownUrl }) => {
      asked.push(new URL(url).host);
      return Promise.resolve(url.includes(":1234") ? { models: ["mine"] } : url.includes(":8000") ? { models: [] } : { because: shownUrl });
    };
    expect(await ready({ OLLAMA_HOST: "https://elsewhere.example" }, ask)).toMatchObject([
      { type: "lmstudio", because: "runs at localhost:1234", models: ["mine"] },
    ]);
    expect(asked.toSorted()).toEqual(["localhost:1234", "localhost:30000", "localhost:8000"]);
  });

  it("becomes a team: each provider in turn, another model of it the second time, agents by letters", async () => {
    const found = await ready({ OPENROUTER_API_KEY: "k", GROQ_API_KEY: "k" });
    const team = suggestTeam(found, 5);
    expect(team.map(({ type, model }) => `${type}/${model}`)).toEqual([
      "openrouter/openai/gpt-5-mini",
      "groq/llama-3.3-70b-versatile",
      "openrouter/anthropic/claude-sonnet-4.5",
      "groq/llama-3.3-70b-versatile",
      "openrouter/google/gemini-2.5-flash",
    ]);
    const draft = draftTeam(team, { ...onlyAnswers, webSearch: true, codeExecution: true, commands: "sandbox" });
    expect(draft.agents.map(({ id }) => id)).toEqual(["agent_a", "agent_b", "agent_c", "agent_d", "agent_e"]);
    // Each gets what its provider has; commands need files.
    expect(draft.agents.slice(0, 2)).toEqual([
      { id: "agent_a", type: "openrouter", model: "openai/gpt-5-mini", webSearch: true },
      { id: "agent_b", type: "groq", model: "llama-3.3-70b-versatile" },
    ]);
  });
});
