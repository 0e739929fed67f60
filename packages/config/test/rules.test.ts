import { describe, expect, it } from "vitest";
import { type ConfigIssue, formatIssues, type IssueCode, issuesAsJson, parseConfig } from "../src/index.js";
import { type RuleRow, rulesBetweenKeys } from "./rules-between-keys.js";

const OK = "{type: openrouter, model: m}";
const one = (more: string): string => `agents:\n  - id: a\n    backend: ${OK}\n${more}`;
const backend = (more: string): string => `agents:\n  - id: a\n    backend:\n      type: openrouter\n      model: m\n      ${more}\n`;

/** Entries of `mcp_servers`, one a line. */
const server = (...entries: readonly string[]): Pick<RuleRow, "yaml" | "path"> => ({
  yaml: backend(`mcp_servers: [ # ]\n`).replace("[ # ]\n\n", `\n${entries.map((entry) => `        ${entry}\n`).join("")}`),
  path: "…[0]",
});

/** One row for every code a text can earn. CFG001 and CFG003 are about files: load.test.ts. CFG130 is about flags: overrides.test.ts. CFG066 is about names of models: models.test.ts. */
const rules: Record<Exclude<IssueCode, "CFG001" | "CFG002" | "CFG003" | "CFG066" | "CFG130">, RuleRow> = {
  ...rulesBetweenKeys,
  CFG004: {
    yaml: "agents:\n\t- id: a\n",
    at: "2:1",
    path: "",
    message: "a tab cannot be used for indentation",
    hint: "Indent with spaces.",
  },
  CFG005: {
    yaml: backend("model: n"),
    at: "6:7",
    path: "agents[0].backend.model",
    message: "key 'model' is given twice (first at line 5)",
    hint: "Remove one of them.",
  },
  CFG006: { yaml: `${one("")}---\nb: 1\n`, at: "4:1", path: "", message: "only the first YAML document is used" },
  CFG007: { yaml: "- a\n- b\n", at: "1:1", path: "", message: "the config must be a map of keys, found a list", hint: /agents:/ },
  CFG010: {
    yaml: "models: [a]\nnum_agents: 2\n",
    at: "1:1",
    path: "models",
    message: "this is an old V1 config (found 'models', 'num_agents')",
    hint: /'agents'/,
  },
  CFG020: { yaml: "ui: {}\n", at: "1:1", path: "", message: "give either 'agents' (a list) or 'agent' (one map)", hint: /agents:/ },
  CFG021: {
    yaml: `agents:\n  a: {backend: ${OK}}\n  b: {backend: ${OK}}\n`,
    at: "1:1",
    path: "agents",
    message: "'agents' should be a list; read as 2 agents named by their keys",
  },
  CFG022: {
    yaml: `agents:\n  id: a\n  backend: ${OK}\n`,
    at: "1:1",
    path: "agents",
    message: "'agents' should be a list; read as one agent",
    hint: /'- '/,
  },
  CFG023: {
    yaml: "agents: []\n",
    at: "1:9",
    path: "agents",
    message: "'agents' must be a non-empty list, found an empty list",
    hint: /agents:/,
  },
  CFG024: {
    yaml: `agents:\n  - backend: ${OK}\n`,
    at: "2:5",
    path: "agents[0]",
    message: "agent has no 'id'; using 'agent1'",
    hint: "Add: id: agent1",
  },
  CFG025: {
    yaml: "agents:\n  - id: a\n    backend: {model: gemini-2.5-flash}\n",
    at: "3:5",
    path: "agents[0].backend",
    message: "backend has no 'type'; taken as 'gemini' from the model",
    hint: "Add: type: gemini",
    severity: "warning",
  },
  CFG026: {
    yaml: `agents:\n  - id: 7\n    backend: ${OK}\n`,
    at: "2:9",
    path: "agents[0].id",
    message: "'id' must be text, found the number 7",
    hint: 'Put it in quotes: id: "7"',
  },
  CFG027: {
    yaml: `agents:\n  - {id: a, backend: ${OK}}\n  - {id: a, backend: ${OK}}\n`,
    at: "3:10",
    path: "agents[1].id",
    message: "agent id 'a' is used twice (first at line 2)",
    hint: "Give every agent an id of its own.",
  },
  CFG028: {
    yaml: "agents:\n  - id: a\n    backend: openai\n",
    at: "3:14",
    path: "agents[0].backend",
    message: "agent needs a 'backend' map, found the text 'openai'",
    hint: /^backend: /,
  },
  CFG029: {
    yaml: `agents:\n  - id: a\n    backend: ${OK}\n    system_message: [x]\n`,
    at: "4:21",
    path: "agents[0].system_message",
    message: "'system_message' must be text, found a list",
  },
  CFG030: {
    yaml: "agents:\n  - id: a\n    backend: {type: claud, model: m}\n",
    at: "3:21",
    path: "agents[0].backend.type",
    message: "unknown backend type 'claud'",
    hint: /^Did you mean 'claude'\? Types: openai, /,
  },
  CFG031: {
    yaml: "agents:\n  - id: a\n    backend: {type: vllm}\n",
    at: "3:5",
    path: "agents[0].backend",
    message: "backend 'vllm' needs a 'model'",
    hint: "Add: model: <name>",
  },
  CFG032: {
    yaml: backend("base_url: ftp://me:secret@host/x"),
    at: "6:17",
    path: "agents[0].backend.base_url",
    message: "'base_url' must be an http(s) URL, found 'ftp://***@host/x'",
    hint: /http/,
  },
  CFG033: {
    yaml: backend('enable_web_search: "true"'),
    at: "6:26",
    path: "agents[0].backend.enable_web_search",
    message: "'enable_web_search' must be true or false, found the text 'true'",
    hint: "Remove the quotes: enable_web_search: true",
  },
  CFG034: {
    yaml: backend("enable_x_search: true"),
    at: "6:7",
    path: "agents[0].backend.enable_x_search",
    message: "'openrouter' does not support searching X ('enable_x_search')",
    hint: "Types that do: grok.",
  },
  CFG035: {
    yaml: backend("system_prompt: be nice"),
    at: "6:7",
    path: "agents[0].backend.system_prompt",
    message: "'system_prompt' does not belong in 'backend'",
    hint: "Move it to the agent's 'system_message'.",
  },
  CFG036: {
    yaml: backend("reasoning: {effort: hihg}"),
    at: "6:27",
    path: "agents[0].backend.reasoning.effort",
    message: "'hihg' is not valid for 'effort'",
    hint: /^Did you mean 'high'\? Allowed: none, /,
  },
  CFG040: {
    yaml: one("orchestratr: {}\n"),
    at: "4:1",
    path: "orchestratr",
    message: "unknown key 'orchestratr'",
    hint: "Did you mean 'orchestrator'?",
  },
  CFG041: {
    yaml: one("    sytem_message: x\n"),
    at: "4:5",
    path: "agents[0].sytem_message",
    message: "unknown key 'sytem_message'",
    hint: "Did you mean 'system_message'?",
  },
  CFG042: {
    yaml: backend("temprature: 0.2"),
    at: "6:7",
    path: "agents[0].backend.temprature",
    message: "unknown key 'temprature'",
    hint: /^Did you mean 'temperature'\?/,
  },
  CFG043: {
    yaml: one("orchestrator: {voting_sensitivty: strict}\n"),
    at: "4:16",
    path: "orchestrator.voting_sensitivty",
    message: "unknown key 'voting_sensitivty'",
    hint: "Did you mean 'voting_sensitivity'?",
  },
  CFG044: {
    yaml: one("timeout_settings: {orchestrator_timeout: 3}\n"),
    at: "4:20",
    path: "timeout_settings.orchestrator_timeout",
    message: "unknown key 'orchestrator_timeout'",
  },
  CFG045: {
    yaml: one("hooks: {PreToolUs: []}\n"),
    at: "4:9",
    path: "hooks.PreToolUs",
    message: "unknown key 'PreToolUs'",
    hint: "Did you mean 'PreToolUse'?",
  },
  CFG058: {
    yaml: "agents:\n  - id: a\n    backend: {type: grok, extra_body: {search_parameters: {mode: auto}}}\n",
    at: "3:40",
    path: "agents[0].backend.extra_body.search_parameters",
    message: "Live Search was retired by xAI; 'search_parameters' is not sent",
    hint: /enable_web_search/,
  },
  CFG060: {
    yaml: one("    temperature: 0.2\n"),
    at: "4:5",
    path: "agents[0].temperature",
    message: "'temperature' belongs in 'backend.temperature'; moved there",
  },
  CFG062: {
    yaml: one("    append_system_prompt: x\n"),
    at: "4:5",
    path: "agents[0].append_system_prompt",
    message: "'append_system_prompt' has no effect",
    hint: "Use 'system_message'.",
  },
  CFG064: {
    yaml: one("orchestrator: {session_storage: x}\n"),
    at: "4:16",
    path: "orchestrator.session_storage",
    message: "'session_storage' has no effect; sessions are kept in .massgen/sessions",
  },
  CFG065: {
    yaml: one("orchestrator: {timeout: {orchestrator_timeout_seconds: 5}}\ntimeout_settings: {orchestrator_timeout_seconds: 6}\n"),
    at: "4:56",
    path: "orchestrator.timeout.orchestrator_timeout_seconds",
    message: "'timeout_settings.orchestrator_timeout_seconds' is '6' and wins over this one",
    hint: "Remove one of them.",
  },
  CFG071: {
    yaml: backend("command_line_docker_credentials: {pass_all_env: true}"),
    at: "6:41",
    path: "agents[0].backend.command_line_docker_credentials.pass_all_env",
    message: "'pass_all_env' passes the environment without what looks like a key",
    hint: "Name the keys that commands need in env_vars.",
    severity: "warning",
  },
  CFG072: {
    yaml: backend("allowed_tools: [read_file]\n      exclude_tools: [grep]"),
    at: "7:7",
    path: "agents[0].backend.exclude_tools",
    message: "both 'allowed_tools' and 'exclude_tools' are given; a tool named in both is left out",
    hint: "One of them is enough, as a rule.",
    severity: "warning",
  },
  CFG080: {
    yaml: one("orchestrator: {voting_sensitivity: checklist_gated}\n"),
    at: "4:36",
    path: "orchestrator.voting_sensitivity",
    message: "'checklist_gated' is known but not supported; use lenient, balanced or strict",
  },
  CFG081: {
    yaml: one("orchestrator: {max_new_answers_per_agent: 0}\n"),
    at: "4:43",
    path: "orchestrator.max_new_answers_per_agent",
    message: "'max_new_answers_per_agent' must be a positive integer or null, found the number 0",
  },
  CFG082: {
    yaml: one("timeout_settings: {orchestrator_timeout_seconds: 30m}\n"),
    at: "4:50",
    path: "timeout_settings.orchestrator_timeout_seconds",
    message: "'orchestrator_timeout_seconds' must be a positive number of seconds (at most 24 days), found the text '30m'",
  },
  CFG083: {
    yaml: one("ui: {display_type: textul}\n"),
    at: "4:20",
    path: "ui.display_type",
    message: "'textul' is not valid for 'display_type'",
    hint: /^Did you mean 'textual'\?/,
  },
  CFG090: {
    yaml: one("orchestrator: {coordination: {async_subagents: {}}}\n"),
    at: "4:31",
    path: "orchestrator.coordination.async_subagents",
    message: "'async_subagents' has another name now",
    hint: "Use 'background_subagents'.",
  },
  CFG091: { yaml: one("orchestrator: [fast]\n"), at: "4:15", path: "orchestrator", message: "'orchestrator' must be a map, found a list" },
  CFG092: {
    yaml: one("memory: {enabled: maybe}\n"),
    at: "4:19",
    path: "memory.enabled",
    message: "'enabled' must be true or false, found the text 'maybe'",
  },
  CFG093: {
    yaml: one("hooks: {PreToolUse: 3}\n"),
    at: "4:21",
    path: "hooks.PreToolUse",
    message: "'PreToolUse' must be a list or a map, found the number 3",
  },
  CFG094: {
    yaml: one("checkpoint: {enabled: true, mode: tsak}\n"),
    at: "4:35",
    path: "checkpoint.mode",
    message: "'tsak' is not valid for 'mode'",
    hint: /^Did you mean 'task'\?/,
  },
  CFG110: {
    yaml: one(`    system_message: "Hello \${NOBODY}"\n`),
    at: "4:21",
    path: "agents[0].system_message",
    message: "environment variable 'NOBODY' is not set; the text stays as it is",
    hint: /\$\{NOBODY:-…\}/,
  },
  CFG111: {
    yaml: backend(`api_key: \${NO_KEY}`),
    at: "6:16",
    path: "agents[0].backend.api_key",
    message: "environment variable 'NO_KEY' is not set, so there is no API key",
    hint: "Set NO_KEY, or put it in a .env file.",
  },
  CFG120: {
    yaml: backend("custom_tools_path: work"),
    at: "6:7",
    path: "agents[0].backend.custom_tools_path",
    message: "'custom_tools_path' is known but not supported yet; ignored: agents work without these tools",
  },
  CFG061: {
    yaml: one("mcp_servers: {s: {command: npx}}\n"),
    at: "4:1",
    path: "mcp_servers",
    message: "'mcp_servers' at the top level is given to every agent; it belongs in 'agents[].backend'",
  },
  CFG063: {
    yaml: backend("mcp_servers: {name: s, command: npx}"),
    at: "6:7",
    path: "agents[0].backend.mcp_servers",
    message: "'mcp_servers' should be a list; read as one server",
    hint: "Put '- ' before its first key.",
  },
  MCP001: { ...server("- npx"), at: "7:11", message: "an MCP server must be a map, found the text 'npx'" },
  MCP002: {
    ...server("- {name: a__b, command: npx}"),
    at: "7:18",
    message: /^the name 'a__b' must neither begin nor end/,
    path: "…[0].name",
  },
  MCP003: {
    ...server("- {name: a, command: npx}", "- {name: a, command: node}"),
    at: "8:18",
    path: "…[1].name",
    message: "the MCP server 'a' is named twice",
  },
  MCP004: {
    ...server("- {name: a, type: sse, url: 'https://a.example/sse'}"),
    at: "7:27",
    path: "…[0].type",
    message: "the type 'sse' is no more",
    hint: /streamable-http/,
  },
  MCP005: { ...server("- {name: a, command: 'npx;rm'}"), at: "7:30", path: "…[0].command", message: /^'command' must be a program/ },
  MCP006: {
    ...server("- {name: a, command: perl}"),
    at: "7:30",
    path: "…[0].command",
    message: "'perl' is not allowed at level strict",
    hint: /allowed_executables/,
  },
  MCP007: {
    ...server("- {name: a, command: npx, env: {NODE_OPTIONS: x}}"),
    at: "7:41",
    path: "…[0].env.NODE_OPTIONS",
    message: "the variable 'NODE_OPTIONS' may not be set for a server at level strict",
  },
  MCP008: {
    ...server("- {name: a, command: npx, env: {A: '$(id)'}}"),
    at: "7:44",
    path: "…[0].env.A",
    message: "the value of 'A' must be a text without shell syntax, of at most 1000 characters",
  },
  MCP009: {
    ...server(`- {name: a, command: npx, env: {A: '\${NO_TOKEN}'}}`),
    at: "7:44",
    path: "…[0].env.A",
    message: "environment variable 'NO_TOKEN' is not set, and this MCP server is to get it",
  },
  MCP010: { ...server("- {name: a, url: 'ftp://a.example'}"), at: "7:26", path: "…[0].url", message: /^'url' must be an http/ },
  MCP011: {
    ...server("- {name: a, url: 'http://0x7f.1:8000/mcp'}"),
    at: "7:26",
    path: "…[0].url",
    message: "'url' is on this machine",
    hint: "Add security: {allow_localhost: true} if that is meant.",
  },
  MCP012: {
    ...server("- {name: a, command: npx, timeout: 4000}"),
    at: "7:44",
    path: "…[0].timeout",
    message: "'timeout' must be above 0 and at most 3600 seconds, found 4000",
  },
  MCP013: { ...server("- {name: a, command: npx, cwd: ../b}"), at: "7:40", path: "…[0].cwd", message: /^'cwd' must have/ },
  MCP020: {
    ...server("- {name: a, command: npx, security: {level: high}}"),
    at: "7:53",
    path: "…[0].security.level",
    message: "'high' is read as strict",
  },
  MCP021: {
    ...server("- {name: filesystem, command: npx}"),
    at: "7:18",
    path: "…[0].name",
    message: "'filesystem' is the name of a built-in server; this one is called 'filesystem_user'",
  },
  CFG100: {
    yaml: backend("cwd: ws\norchestrator: {context_paths: [{path: 3}]}"),
    at: "7:39",
    path: "orchestrator.context_paths[0].path",
    message: "'path' must be text, found the number 3",
  },
  CFG101: {
    yaml: backend("cwd: ws\norchestrator: {context_paths: [{path: src, protected_paths: vendor}]}"),
    at: "7:61",
    path: "orchestrator.context_paths[0].protected_paths",
    message: "'protected_paths' must be a list of texts, found the text 'vendor'",
  },
  CFG102: {
    yaml: one("orchestrator: {context_paths: [src]}\n"),
    at: "4:16",
    path: "orchestrator.context_paths",
    severity: "warning",
    message: "no agent has a 'cwd', so nobody sees the context paths",
    hint: "Give agents files with backend: {cwd: workspace, …}.",
  },
  CFG037: {
    yaml: backend("command_line_blocked_commands: ['ok', '(']"),
    at: "6:45",
    path: "agents[0].backend.command_line_blocked_commands[1]",
    message: "not a valid pattern: Unterminated group",
  },
  CFG084: {
    yaml: one("orchestrator: {presenter_agent: aa}\n"),
    at: "4:33",
    path: "orchestrator.presenter_agent",
    message: "'aa' is no agent id",
  },
  CFG085: {
    yaml: "agents:\n  - {id: a, subtask: the facts, backend: {type: ollama, model: m}}\n  - {id: b, backend: {type: ollama, model: m}}\norchestrator: {coordination_mode: decomposition}\n",
    at: "3:5",
    path: "agents[1]",
    message: "1 of 2 agents have no 'subtask'; the work is divided when the run begins",
    hint: /'subtask'/,
  },
  CFG121: {
    yaml: one("orchestrator: {checklist_first_answer: true}\n"),
    at: "4:16",
    path: "orchestrator.checklist_first_answer",
    message: "'checklist_first_answer' is known but not supported yet",
    hint: "Take it out; then agents judge answers without a checklist.",
  },
};

const warnings = /^(?:CFG(006|02[1245]|04[0-5]|058|06[0-5]|072|085|110|120)|MCP02[01])$/;

describe("rules", () => {
  it.each(Object.entries(rules))("%s says where, what and how to go on", (code, row) => {
    const { issues, config } = parseConfig(row.yaml, { file: "team.yaml" });
    const issue = issues.find((found) => found.code === code);
    const severity = row.severity ?? (warnings.test(code) ? "warning" : "error");
    const path = row.path.replace("…", "agents[0].backend.mcp_servers");
    expect(issue, JSON.stringify(issues)).toMatchObject({ severity, path, file: "team.yaml" });
    if (typeof row.message === "string") expect(issue?.message).toBe(row.message);
    else expect(issue?.message).toMatch(row.message);
    expect(`${issue?.span?.line}:${issue?.span?.column}`).toBe(row.at);
    if (row.hint !== undefined) expect(issue?.hint).toMatch(row.hint);
    expect(config === null).toBe(severity === "error");
    expect(onlyThis(issues, code)).toEqual([]);
  });

  // The reports as people and as programs get them, to be read: a changed word shows as a changed line.
  it("every report is as in golden/rules.txt", async () => {
    const reports = Object.entries<RuleRow>(rules).map(([code, { yaml }]) => {
      const { issues, source } = parseConfig(yaml, { file: "team.yaml" });
      const { errors, warnings, ...head } = issuesAsJson(issues);
      const json = [head, ...errors, ...warnings].map((part) => JSON.stringify(part));
      return `## ${code}\n\n${yaml}\n${formatIssues(issues, { source })}\n\n${json.join("\n")}\n`;
    });
    await expect(reports.sort().join("\n")).toMatchFileSnapshot("golden/rules.txt");
  });
});

/** Every row makes one mistake, so one code is told, besides that the section does not work yet. */
const onlyThis = (issues: readonly ConfigIssue[], code: string): readonly string[] =>
  issues.map((issue) => issue.code).filter((found) => found !== code && found !== "CFG120" && found !== "CFG121");

describe("keys at the wrong level", () => {
  it.each([
    ["voting_sensitivity: strict\n", "voting_sensitivity", "'voting_sensitivity' belongs in 'orchestrator'."],
    ["model: m\n", "model", "'model' belongs in 'agents[].backend'."],
    ["system_message: x\n", "system_message", "'system_message' belongs in 'agents[]'."],
    [
      "orchestrator: {enable_planning_mode: true}\n",
      "orchestrator.enable_planning_mode",
      "'enable_planning_mode' belongs in 'orchestrator.coordination'.",
    ],
    [
      "orchestrator: {orchestrator_timeout_seconds: 3}\n",
      "orchestrator.orchestrator_timeout_seconds",
      "'orchestrator_timeout_seconds' belongs in 'timeout_settings'.",
    ],
  ])("%# %j is told where it belongs", (more, path, hint) => {
    const { issues } = parseConfig(one(more));
    expect(issues).toMatchObject([{ severity: "warning", path, hint }]);
  });

  it("keys of the orchestrator in a backend are told and not sent", () => {
    const { issues, config } = parseConfig(backend("voting_sensitivity: strict"));
    expect(issues).toMatchObject([{ code: "CFG042", hint: "It belongs in 'orchestrator'." }]);
    expect(config?.agents[0]?.backend.params).toEqual({});
  });

  it("keys of another provider are told and not sent", () => {
    const { issues, config } = parseConfig(backend("permission_mode: plan"));
    expect(issues).toMatchObject([{ code: "CFG042", message: "'permission_mode' is for claude_code and not used here" }]);
    expect(config?.agents[0]?.backend.params).toEqual({});
  });
});

describe("keys of features that are not built", () => {
  it("say nothing when they switch the feature off", () => {
    const { issues } = parseConfig(
      one(
        "orchestrator: {skip_voting: false, coordination_mode: voting, answer_novelty_requirement: lenient, dspy: {enabled: false, num_variants: 3}}\nmemory: {enabled: false}\n",
      ),
    );
    expect(issues).toEqual([]);
  });

  it("take their whole section with them", () => {
    const { issues } = parseConfig(one(`nlip: {router: {token: '\${NOT_SET}'}}\n`));
    expect(issues.map((issue) => [issue.code, issue.path])).toEqual([["CFG120", "nlip"]]);
  });

  it("an answer to try restarts with has no effect without restarts, and says so", () => {
    const parsed = (yaml: string) => parseConfig(one(`orchestrator: {${yaml}}\n`)).issues;
    const withRestarts = "debug_final_answer: wrong, coordination: {max_orchestration_restarts: 1}";
    expect(parsed("debug_final_answer: wrong")).toMatchObject([{ code: "CFG120", severity: "warning" }]);
    expect(parsed("debug_final_answer: wrong, coordination: {max_orchestration_restarts: 0}")).toHaveLength(1);
    expect(parsed(withRestarts)).toEqual([]);
    expect(parsed("debug_final_answer: true")).toEqual([]);
  });

  it("a fresh start after stagnation is a restart: without restarts it has no effect, and says so", () => {
    const parsed = (yaml: string) => parseConfig(one(`orchestrator: {${yaml}}\n`)).issues;
    expect(parsed("restart_after_stagnation: 2, enable_restarts: false")).toMatchObject([{ code: "CFG120", severity: "warning" }]);
    expect(parsed("restart_after_stagnation: 2")).toEqual([]);
    expect(parsed("restart_after_stagnation: null, enable_restarts: false")).toEqual([]);
  });

  it.each([
    ["convergence_threshold: 0", "CFG033"],
    ["convergence_threshold: 1.5", "CFG033"],
    ["voting_method: ranked", "CFG036"],
    ["max_rounds: 0", "CFG081"],
    ["restart_after_stagnation: 0.5", "CFG081"],
    ["self_vote_weight: 2", "CFG033"],
    ["answer_novelty_requirement: adversarial", "CFG080"],
    ["tool_offering: sometimes", "CFG036"],
  ])("refuses %s", (yaml, code) => {
    expect(parseConfig(one(`orchestrator: {${yaml}}\n`)).issues).toMatchObject([{ code, severity: "error" }]);
  });

  it("a time limit that never worked is a note, strict or not", () => {
    expect(parseConfig(one("timeout_settings: {agent_timeout_seconds: 3}\n")).issues).toMatchObject([{ code: "CFG120", severity: "note" }]);
  });
});
