import { validateConfig } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { buildConfig } from "../src/build-config.js";
import type { TeamOptions } from "../src/options.js";

describe("buildConfig", () => {
  it("makes a team of several models that the checker of files accepts", () => {
    const config = buildConfig({ models: ["groq/llama-3.3-70b-versatile", "ollama/qwen3", "gpt-5-mini"], systemMessage: "Be brief." });
    expect(config.agents.map(({ id, backend }) => [id, backend.type, backend.model])).toEqual([
      ["agent_a", "groq", "llama-3.3-70b-versatile"],
      ["agent_b", "ollama", "qwen3"],
      ["agent_c", "openai", "gpt-5-mini"],
    ]);
    expect(validateConfig(config).issues).toEqual([]);
    expect(validateConfig(JSON.parse(JSON.stringify(config))).config?.agents[2]).toMatchObject({
      id: "agent_c",
      systemMessage: "Be brief.",
    });
  });

  it.each<[TeamOptions, readonly (readonly [string, string | undefined])[]]>([
    [
      { model: "ollama/qwen3", numAgents: 2 },
      [
        ["ollama", "qwen3"],
        ["ollama", "qwen3"],
      ],
    ],
    [{ backend: "groq" }, [["groq", undefined]]],
    [
      { backends: ["groq", "qwen"], model: "m" },
      [
        ["groq", "m"],
        ["qwen", "m"],
      ],
    ],
    [
      { models: ["m1", "m2"], backends: ["groq", "qwen"] },
      [
        ["groq", "m1"],
        ["qwen", "m2"],
      ],
    ],
    [{ models: ["my-model"], baseUrl: "http://localhost:8000/v1" }, [["chatcompletion", "my-model"]]],
    [{ model: "o3-high" }, [["openai", "o3"]]],
  ])("%j", (options, expected) => {
    expect(buildConfig(options).agents.map(({ backend }) => [backend.type, backend.model])).toEqual(expected);
  });

  it.each<[TeamOptions, string, string]>([
    [{}, "CONFIG_INVALID", "who takes part"],
    [{ model: "gtp-5-mini" }, "CONFIG_INVALID", "gtp-5-mini"],
    [{ models: [] }, "USAGE", "at least one"],
    [{ numAgents: 0, model: "gpt-5" }, "USAGE", "at least one"],
    [{ model: "a", models: ["b"] }, "USAGE", '"model" and "models"'],
    [{ models: ["gpt-5"], numAgents: 3 }, "USAGE", '"numAgents" and "models"'],
    [{ models: ["a", "b"], backends: ["groq"] }, "USAGE", '"models" and "backends"'],
    [{ model: "gpt-5", useDocker: true, enableFilesystem: false }, "USAGE", '"useDocker: true"'],
  ])("%j is refused", (options, code, saying) => {
    expect(() => buildConfig(options)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(saying) }));
    expect(() => buildConfig(options)).toThrow(MassgenError);
  });

  it("gives every agent a container for its commands, in the language of the files", () => {
    const config = buildConfig({ model: "gpt-5", useDocker: true, numAgents: 2 });
    for (const { backend } of config.agents)
      expect(backend).toMatchObject({ cwd: "workspace", enable_mcp_command_line: true, command_line_execution_mode: "docker" });
    expect(validateConfig(config).config?.agents[0]?.hands?.commands?.docker).toMatchObject({ network: "none" });
  });

  it("refuses nothing for options that ask for nothing", () => {
    expect(buildConfig({ model: "gpt-5", useDocker: false, enableFilesystem: false }).agents).toHaveLength(1);
  });
});
