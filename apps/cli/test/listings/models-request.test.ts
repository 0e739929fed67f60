import { providerOf } from "@massgen/config";
import { describe, expect, it } from "vitest";
import { modelsRequest, parseModels } from "../../src/listings/models-request.js";

function requestFor(type: string, env: Readonly<Record<string, string>> = {}, baseUrl: string | null = null) {
  const provider = providerOf(type);
  if (provider === null) throw new Error(`no provider ${type}`);
  return modelsRequest({ provider, baseUrl, env });
}

describe("the question for a list of models", () => {
  it.each([
    ["openai", { OPENAI_API_KEY: "k" }, null, "https://api.openai.com/v1/models", { authorization: "Bearer k" }],
    ["grok", { XAI_API_KEY: "k" }, null, "https://api.x.ai/v1/models", { authorization: "Bearer k" }],
    ["zai", { ZAI_API_KEY: "k" }, null, "https://api.z.ai/api/paas/v4/models", { authorization: "Bearer k" }],
    [
      "claude",
      { ANTHROPIC_API_KEY: "k" },
      null,
      "https://api.anthropic.com/v1/models?limit=1000",
      { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    ],
    [
      "gemini",
      { GEMINI_API_KEY: "k" },
      null,
      "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
      { "x-goog-api-key": "k" },
    ],
    ["ollama", {}, null, "http://localhost:11434/v1/models", { authorization: "Bearer ollama" }],
    ["ollama", {}, "http://h:1", "http://h:1/v1/models", { authorization: "Bearer ollama" }],
    ["claude", { ANTHROPIC_API_KEY: "k" }, "http://h/v1/", "http://h/v1/models?limit=1000", {}],
    ["chatcompletion", { OPENAI_API_KEY: "k" }, "https://h.local/x?tenant=a", "https://h.local/x/models?tenant=a", {}],
    ["uitars", { UI_TARS_API_KEY: "k", UI_TARS_ENDPOINT: "https://u/v1" }, null, "https://u/v1/models", {}],
  ])("%s with %j at %s", (type, env, baseUrl, url, headers) => {
    const request = requestFor(type, env as Readonly<Record<string, string>>, baseUrl);
    expect(request).toMatchObject({ url, headers });
  });

  it("the key of one vendor is not taken to a server at home", () => {
    expect(requestFor("chatcompletion", { OPENAI_API_KEY: "k" }, "http://localhost:1/v1")).toMatchObject({ headers: {} });
    expect(JSON.stringify(requestFor("chatcompletion", { OPENAI_API_KEY: "k-secret" }, "http://localhost:1/v1"))).not.toContain("k-secret");
  });

  it("neither user, password nor query are in the address for people", () => {
    expect(requestFor("ollama", {}, "http://user:word@h:1/v1?token=x")).toMatchObject({ shownUrl: "http://h:1/v1/models" });
  });

  it.each([
    ["openai", {}, null, "there is no key: set OPENAI_API_KEY"],
    ["gemini", {}, null, "there is no key: set GOOGLE_API_KEY or GEMINI_API_KEY"],
    ["azure_openai", { AZURE_OPENAI_API_KEY: "k" }, null, "its models are the deployments of your resource"],
    ["claude_code", {}, null, "it has no list to ask for"],
    ["inference", {}, null, "it has no address: add --base-url"],
    ["ollama", {}, "h:1", "its address is none: write it like https://host/v1"],
  ])("%s with %j at %s is not asked", (type, env, baseUrl, because) => {
    expect(requestFor(type, env as Readonly<Record<string, string>>, baseUrl)).toEqual({ because });
  });
});

describe("the reply", () => {
  it.each([
    [{ object: "list", data: [{ id: "b" }, { id: "a" }, { id: "a" }] }, ["a", "b"]],
    [{ data: [{ type: "model", id: "claude-x" }], has_more: false }, ["claude-x"]],
    [
      {
        models: [
          { name: "models/g", supportedGenerationMethods: ["generateContent"] },
          { name: "models/e", supportedGenerationMethods: ["embedContent"] },
        ],
      },
      ["g"],
    ],
    [[{ id: "together/a" }], ["together/a"]],
    [{ data: [null, 1, { id: 2 }, { id: "" }] }, []],
    [{ error: "no" }, null],
    ["text", null],
    [null, null],
  ])("%j has the models %j", (reply, models) => {
    expect(parseModels(reply)).toEqual(models);
  });
});
