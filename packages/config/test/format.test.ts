// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { formatIssues, issuesAsJson, parseConfig, requireConfig, strictly, validateConfig } from "../src/index.js";

const team = `agents:
  - id: a
    backend:
      type: openrouter
      model: m
      api_key: sk-or-SECRET-12345678
      temprature: 0.5
`;

describe("reports", () => {
  it("a clean file is said to be valid", () => {
    expect(formatIssues([])).toBe("✅ Configuration is valid!");
  });

  it("without a source there are no lines, without a file no places", () => {
    expect(formatIssues(validateConfig({ agents: [] }).issues)).toMatchInlineSnapshot(`
      "Configuration Errors Found:

      ❌ [agents] 'agents' must be a non-empty list, found an empty list
         💡 agents: [{id: one, backend: {type: openrouter, model: openai/gpt-5-nano}}]

      1 error"
    `);
  });

  it("colours come only when asked for", () => {
    const { issues } = parseConfig(team, { file: "team.yaml" });
    expect(formatIssues(issues)).not.toContain("\u001b");
    expect(formatIssues(issues, { color: true })).toContain("\u001b[33mteam.yaml:7:7 [agents[0].backend.temprature]\u001b[39m");
  });

  it("keys of one unbuilt feature are one piece of news", () => {
    const { issues } = validateConfig({
      agents: ["a", "b"].map((id) => ({ id, backend: { type: "groq", custom_tools_path: id, shared_tools_directory: id } })),
      orchestrator: { checklist_first_answer: true, gap_report_mode: "none" },
    });
    expect(formatIssues(issues)).toMatchInlineSnapshot(`
      "Configuration Errors Found:

      ❌ [orchestrator.checklist_first_answer] 'checklist_first_answer', 'gap_report_mode' are known but not supported yet
         💡 Take it out; then agents judge answers without a checklist.
      ⚠️ [agents[0].backend.custom_tools_path] 'custom_tools_path', 'shared_tools_directory' (in 4 places) are known but not supported yet; ignored: agents work without these tools

      2 errors, 4 warnings"
    `);
    expect(issuesAsJson(issues)).toMatchObject({ error_count: 2, warning_count: 4 });
  });

  it("nothing in it commands the terminal", () => {
    const evil = "\u001b[2J\u0007\u202e\u009b";
    const loaded = parseConfig(`agent: {id: "a${evil}", "k${evil}": 1, backend: {type: "t${evil}", model: m, base_url: "x${evil}"}}\n`, {
      file: `f${evil}`,
    });
    const report = formatIssues(loaded.issues, { source: loaded.source });
    expect(report).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });

  it("the JSON report has the members programs know", () => {
    const { issues } = parseConfig("agents:\n  - id: a\n    backend:\n      type: claud\n      model: m\n", { file: "team.yaml" });
    expect(issuesAsJson(issues)).toEqual({
      valid: false,
      error_count: 1,
      warning_count: 0,
      errors: [
        {
          message: "unknown backend type 'claud'",
          location: "agents[0].backend.type",
          suggestion: expect.stringMatching(/^Did you mean 'claude'\?/),
          code: "CFG030",
          file: "team.yaml",
          line: 4,
          column: 13,
        },
      ],
      warnings: [],
    });
  });

  it("strictly, a warning leaves no config; a note does", () => {
    const warned = parseConfig(team);
    expect(warned.config).not.toBeNull();
    expect(strictly(warned)).toMatchObject({ config: null, issues: [{ severity: "error", code: "CFG042" }] });
    const noted = strictly(parseConfig("agent: {id: a, backend: {type: groq}}\ntimeout_settings: {agent_timeout_seconds: 3}"));
    expect(noted.config).not.toBeNull();
    expect(formatIssues(noted.issues)).toContain("Configuration Notes:");
  });

  it("requireConfig throws the first error with all issues, exit code 1", () => {
    const loaded = parseConfig("agent: {backend: {type: claud, model: m}}\nagents: []\n", { file: "team.yaml" });
    expect(() => requireConfig(loaded)).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        exitCode: 1,
        message: expect.stringMatching(/^team\.yaml:1:1 \[agent\] give either .* \(and 1 more\)$/),
      }),
    );
    expect(requireConfig(parseConfig(team)).agents).toHaveLength(1);
  });
});

describe("secrets", () => {
  const secret = "hunter2-SECRET-xyz";
  const shown = (yaml: string): string => {
    const loaded = parseConfig(yaml, { file: "team.yaml", env: { KEY: secret, TYPE: secret } });
    return (
      formatIssues(loaded.issues, { source: loaded.source }) + JSON.stringify(issuesAsJson(loaded.issues)) + JSON.stringify(loaded.raw)
    );
  };

  it.each([
    ["of the wrong type", `agent: {id: a, backend: {type: groq, api_key: [${secret}]}}`],
    ["before a mistake on the same line", `agent: {id: a, backend: {api_key: ${secret}, type: claud, model: m}}`],
    ["behind a mistake on the same line", `agent: {id: a, backend: {type: claud, model: m, api_key: "${secret}, \\" ${secret}"}}`],
    ["with a comment sign", `agent: {id: a, backend: {type: claud, model: m,\n api_key: x#${secret}}}`],
    ["given twice", `agent: {id: a, backend: {type: groq, api_key: ${secret}, api_key: ${secret}}}`],
    ["on a line that does not parse", `agent:\n  backend:\n    api_key: ${secret}: x\n`],
    ["in quotes that do not close", `agent:\n  backend:\n    api_key: "${secret}\n`],
    ["in an address", `agent: {id: a, backend: {type: groq, base_url: 'ftp://me:${secret}@host/?api_key=${secret}'}}`],
    ["from the environment, in a value that is wrong", "agent: {id: a, backend: {type: '${TYPE}', model: m, api_key: '${KEY}'}}"],
    [
      "under a name of its own",
      `agent: {id: a, backend: {type: groq, x_access_token: ${secret}, mcp_servers: [{name: x, envv: 1, env: {A: ${secret}}, headers: {B: ${secret}}, args: [--token, ${secret}]}]}}`,
    ],
  ])("a key %s is not shown", (_, yaml) => {
    expect(shown(yaml)).not.toContain(secret);
  });

  it("a vendor's key in the wrong place is not shown either", () => {
    expect(shown("agent: {id: a, backend: {type: sk-ant-api03-abcdefgh12345678, model: m}}")).not.toContain("abcdefgh12345678");
  });

  it("the stored copy says where a secret stood, and keeps references", () => {
    const { raw } = parseConfig(
      "agent: {id: a, backend: {type: groq, api_key: abcd1234, organization: o, max_tokens: 5}}\nx-b: {api_key: '${KEY}', token: 'Bearer ${KEY}'}",
    );
    expect(raw).toEqual({
      agent: { id: "a", backend: { type: "groq", api_key: "[REDACTED]", organization: "o", max_tokens: 5 } },
      "x-b": { api_key: "${KEY}", token: "Bearer ${KEY}" },
    });
  });

  it("what logs must redact is listed: literal keys, expanded keys, and long expanded values", () => {
    const { secrets } = parseConfig(
      "agent: {id: a, system_message: '${LONG} ${SHORT}', backend: {type: groq, api_key: '${KEY}', x_token: lit-token}}",
      {
        env: { KEY: "k1", LONG: "a long value", SHORT: "prod" },
      },
    );
    expect(secrets.toSorted()).toEqual(["a long value", "k1", "lit-token"]);
  });
});
