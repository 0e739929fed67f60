import { describe, expect, it } from "vitest";
import { addressOf, providerOf } from "../src/index.js";

const address = (type: string, env: Readonly<Record<string, string>>): string | null => {
  const provider = providerOf(type);
  if (provider === null) throw new Error(type);
  return addressOf(provider, env);
};

describe("where a provider answers", () => {
  it.each([
    ["openai", {}, "https://api.openai.com/v1"],
    ["azure_openai", {}, null],
    ["azure_openai", { AZURE_OPENAI_ENDPOINT: " https://x.openai.azure.com " }, "https://x.openai.azure.com"],
    ["ollama", {}, "http://localhost:11434/v1"],
    ["ollama", { OLLAMA_HOST: "" }, "http://localhost:11434/v1"],
    ["ollama", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
    ["ollama", { OLLAMA_HOST: "box.local:9000" }, "http://box.local:9000/v1"],
    ["ollama", { OLLAMA_HOST: ":9000" }, "http://127.0.0.1:9000/v1"],
    ["ollama", { OLLAMA_HOST: "http://127.0.0.1:9000" }, "http://127.0.0.1:9000/v1"],
    ["ollama", { OLLAMA_HOST: "https://ollama.example/v1/" }, "https://ollama.example/v1"],
    ["ollama", { OLLAMA_HOST: "not an address" }, "http://localhost:11434/v1"],
    ["lmstudio", { OLLAMA_HOST: "other:1" }, "http://localhost:1234/v1"],
  ])("%s with %j: %s", (type, env, expected) => {
    expect(address(type, env)).toBe(expected);
  });
});
