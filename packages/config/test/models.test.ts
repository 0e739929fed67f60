import { describe, expect, it } from "vitest";
import { knownModels, nearModels, validateConfig } from "../src/index.js";
import { resolveModel } from "../src/providers/resolve-model.js";

describe("the name of a model", () => {
  it.each([
    ["claude", "claude-4-5-sonnet", "claude-sonnet-4-5"],
    ["anthropic", "claude-4-5-haiku", "claude-haiku-4-5"],
    ["claude", "claude-4-5-opus", "claude-opus-4-5"],
    ["claude", "claude-4-sonnet", "claude-sonnet-4"],
    ["claude", "Claude-Sonnet-4.5", "claude-sonnet-4-5"],
    ["claude", "claude_opus_4_6", "claude-opus-4-6"],
    ["claude_code", "sonnet", "claude-sonnet-4-6"],
    ["gemini", "gemini-2.5-pro-preview", "gemini-2.5-pro"],
    ["gemini", "gemini-3.0-pro-preview", "gemini-3-pro-preview"],
    ["google", "gemini-3-pro", "gemini-3-pro-preview"],
    ["gemini", "gemini-flash", "gemini-3-flash-preview"],
    ["openai", "GPT-5-Mini", "gpt-5-mini"],
    ["openai", "gpt-5-1", "gpt-5.1"],
  ])("%s: %s is %s", (type, written, model) => {
    expect(resolveModel(type, written)).toBe(model);
  });

  it.each(["opus", "sonnet", "haiku"])("%s is the newest of its family", (family) => {
    const versions = (knownModels["claude"] ?? []).flatMap((model) => {
      const found = new RegExp(`^claude-${family}-(\\d)-?(\\d)?$`).exec(model);
      return found === null ? [] : [[Number(found[1]) * 10 + Number(found[2] ?? 0), model] as const];
    });
    expect(resolveModel("claude", family)).toBe(versions.toSorted(([a], [b]) => b - a)[0]?.[1]);
  });

  it.each([
    ["claude", "claude-sonnet-4-5-20260101"],
    ["claude", "claude-sonnet-9"],
    ["openai", "gpt-5-mini-2027-01-01"],
    ["openai", "gtp-5-mini"],
    ["openai", "constructor"],
    ["openrouter", "claude-4-5-sonnet"],
    ["ollama", "QWEN3"],
    ["azure_openai", "GPT-4o"],
    ["chatcompletion", "gpt-5-1"],
    ["nobody", "gpt-5-1"],
  ])("%s: %s stays as it is", (type, written) => {
    expect(resolveModel(type, written)).toBe(written);
  });

  it("of every known model is its own", () => {
    for (const [type, models] of Object.entries(knownModels)) for (const model of models) expect(resolveModel(type, model)).toBe(model);
  });
});

describe("near names", () => {
  it.each([
    ["openai", "gtp-5-mini", "gpt-5-mini"],
    ["claude", "claude-sonnet-4-5-20260101", "claude-sonnet-4-5"],
    ["claude", "claude-5-5-opus-latest", "claude-opus-5-5"],
    ["groq", "llama-3.3-70b-versatil", "llama-3.3-70b-versatile"],
  ])("%s: %s is near %s", (type, name, near) => {
    expect(nearModels(type, name)[0]).toBe(near);
    expect(nearModels(type, name).length).toBeLessThanOrEqual(3);
  });

  it("there are none where nothing is known, and the name itself is none", () => {
    expect(nearModels("ollama", "qwen3")).toEqual([]);
    expect(nearModels("openai", "gpt-5-mini")).not.toContain("gpt-5-mini");
  });
});

describe("a config with another spelling of a model", () => {
  const load = (backend: object) => validateConfig({ agents: [{ id: "a", backend }] });

  it("uses the vendor's name and says so in a note, which strictness does not mind", () => {
    const { config, issues, raw } = load({ type: "claude", model: "claude-4-5-sonnet" });
    expect(config?.agents[0]?.backend.model).toBe("claude-sonnet-4-5");
    expect(issues).toMatchObject([
      {
        code: "CFG066",
        severity: "note",
        message: "the model 'claude-4-5-sonnet' is called 'claude-sonnet-4-5', which is used",
        path: "agents[0].backend.model",
      },
    ]);
    expect(JSON.stringify(raw)).toContain("claude-4-5-sonnet");
  });

  it("a difference of case is not worth a word", () => {
    const { config, issues } = load({ type: "openai", model: "GPT-5-mini" });
    expect(config?.agents[0]?.backend.model).toBe("gpt-5-mini");
    expect(issues).toEqual([]);
  });

  it("a server of one's own knows its names itself", () => {
    const { config, issues } = load({ type: "claude", model: "sonnet", base_url: "http://localhost:4000" });
    expect(config?.agents[0]?.backend.model).toBe("sonnet");
    expect(issues).toEqual([]);
  });
});
