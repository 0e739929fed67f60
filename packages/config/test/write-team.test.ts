import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig, type TeamDraft, writeTeam } from "../src/index.js";

const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
const head = { title: "Two agents.", schema: "./schema.json" };

describe("a team that a dialogue has put together", () => {
  it("is a file with its title, the schema for editors, and the keys in reading order", () => {
    const team: TeamDraft = {
      agents: [
        { id: "agent_a", type: "openai", model: "gpt-5-mini", reasoningEffort: "high", webSearch: true, files: true, commands: "sandbox" },
        { id: "agent_b", type: "ollama", model: "qwen3:8b", baseUrl: "http://127.0.0.1:11434/v1", systemMessage: "Be brief." },
      ],
      contextPaths: [{ path: ".", permission: "read" }],
    };
    expect(writeTeam(team, head)).toMatchInlineSnapshot(`
      "# Two agents.
      # yaml-language-server: $schema=./schema.json

      agents:
        - id: agent_a
          backend:
            type: openai
            model: gpt-5-mini
            reasoning:
              effort: high
            enable_web_search: true
            cwd: workspace
            enable_mcp_command_line: true
            command_line_sandbox: require
        - id: agent_b
          backend:
            type: ollama
            model: qwen3:8b
            base_url: http://127.0.0.1:11434/v1
          system_message: Be brief.
      orchestrator:
        context_paths:
          - path: .
            permission: read
      "
    `);
    expect(parseConfig(writeTeam(team, head), { env }).issues).toEqual([]);
  });

  it("writes commands in containers, and MCP servers of both kinds", () => {
    const mcpServers = [
      { name: "clock", command: "npx", args: ["-y", "a server"] },
      { name: "search", url: "https://mcp.example/v1" },
    ];
    const text = writeTeam(
      { agents: [{ id: "a", type: "openai", model: "gpt-5-mini", files: true, commands: "container", mcpServers }] },
      head,
    );
    const { config, issues } = parseConfig(text, { env });
    expect(issues).toEqual([]);
    expect(text).toContain("command_line_execution_mode: docker");
    expect(JSON.stringify(config)).toContain('"a server"');
    expect(JSON.stringify(config)).toContain("https://mcp.example/v1");
  });

  it("keeps any text as it was typed: numbers, words of YAML, variables, quotes, several lines", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.constantFrom(
        "3.1",
        "no",
        "null",
        "1e3",
        "0x1F",
        `${"{HOME}"}`,
        `$${"{X}"}`,
        "a: b # c",
        "'",
        '"',
        "a\nb\n",
        " x ",
        "- y",
        "~",
        "\t",
      ),
    );
    fc.assert(
      // A blank message is none.
      fc.property(
        texts.filter((text) => text.trim() !== ""),
        (text) => {
          const file = writeTeam({ agents: [{ id: "a", type: "openai", model: "gpt-5-mini", systemMessage: text }] }, head);
          const { config, issues } = parseConfig(file, { env });
          expect({ issues, text: config?.agents[0]?.systemMessage?.trim() }).toEqual({ issues: [], text: text.trim() });
        },
      ),
      { numRuns: 300 },
    );
  });
});
