import type { IssueCode, Severity } from "../src/index.js";

export interface RuleRow {
  /** What the file holds; `…` stands for a backend that is in order. */
  readonly yaml: string;
  readonly at: string;
  readonly path: string;
  readonly message: string | RegExp;
  readonly hint?: string | RegExp;
  readonly severity?: Severity;
}

const backend = (more: string): string => `agents:\n  - id: a\n    backend:\n      type: openrouter\n      model: m\n      ${more}\n`;

/** Rules about values that are good each by itself and not together. */
export const rulesBetweenKeys = {
  CFG046: {
    yaml: "agents:\n  - id: a\n    backend: {type: codex}\n",
    at: "3:5",
    path: "agents[0].backend",
    message: "'codex' needs a 'cwd', so that its files stay out of the project",
    hint: "Add: cwd: workspace",
  },
  CFG050: {
    yaml: backend("custom_tools: [{name: [a, b], function: [f, g], description: [x]}]"),
    at: "6:55",
    path: "agents[0].backend.custom_tools[0].description",
    message: "'description' names 1, and there are 2 in 'function'",
    hint: /same length/,
  },
  CFG051: {
    yaml: backend("custom_tools: [{name: look, path: a.mjs}, {name: [find, look], path: b.mjs}]"),
    at: "6:63",
    path: "agents[0].backend.custom_tools[1].name[1]",
    message: "two custom tools of one agent are called 'look' (first at line 6)",
    hint: /another 'name'/,
  },
  CFG055: {
    yaml: backend("upload_files: [{image_url: https://example.org/cat.png}]"),
    at: "6:23",
    path: "agents[0].backend.upload_files[0].image_url",
    message: "'image_url' has another name now",
    hint: "Write image_path; it takes an address too.",
    severity: "warning",
  },
  CFG056: {
    yaml: "agents:\n  - id: a\n    backend: {type: groq, upload_files: [{video_path: demo.MP4}]}\n",
    at: "3:55",
    path: "agents[0].backend.upload_files[0].video_path",
    message: "'groq' cannot take video files",
    hint: "Give it to an agent of another type: gemini, openrouter, qwen.",
  },
  CFG057: {
    yaml: "agents:\n  - id: a\n    backend: {type: ag2, agent_config: {name: x}, group_config: {}}\n",
    at: "3:51",
    path: "agents[0].backend.group_config",
    message: "backend 'ag2' needs either 'agent_config' or 'group_config'",
    hint: "Remove one of them.",
  },
  CFG073: {
    yaml: backend("cwd: ' '"),
    at: "6:12",
    path: "agents[0].backend.cwd",
    message: "'cwd' names no folder, found ' '",
    hint: "For example: cwd: workspace",
  },
  CFG075: {
    yaml: "agents:\n  - {id: a, backend: {type: ollama, model: m, cwd: /srv/x}}\n  - {id: b, backend: {type: ollama, model: m, cwd: /srv/./y/../x/sub}}\n",
    at: "3:52",
    path: "agents[1].backend.cwd",
    message: "agents 'a' and 'b' would share '/srv/./y/../x/sub'",
    hint: /a folder of its own/,
  },
  CFG086: {
    yaml: `${backend("top_k: 3")}orchestrator: {coordination: {use_skills: true}}\n`,
    at: "7:31",
    path: "orchestrator.coordination.use_skills",
    message: "the scripts of skills cannot run: no agent has commands",
    hint: /enable_mcp_command_line: true/,
    severity: "warning",
  },
  CFG087: {
    yaml: `${backend("top_k: 3")}orchestrator: {coordination: {subagent_min_timeout: 700}}\n`,
    at: "7:53",
    path: "orchestrator.coordination.subagent_min_timeout",
    message: "subagents get at least 700 seconds and at most 600: there is no time between them",
    hint: /at most 'subagent_max_timeout'/,
  },
  CFG088: {
    yaml: `${backend("top_k: 3")}orchestrator: {coordination: {round_evaluator_refine: true}}\n`,
    at: "7:31",
    path: "orchestrator.coordination.round_evaluator_refine",
    message: "'round_evaluator_refine' needs 'orchestrator_managed_round_evaluator'",
    hint: "Add beside it: orchestrator_managed_round_evaluator: true",
  },
  CFG095: {
    yaml: "agents:\n  - {id: a, main_agent: true, backend: {type: ollama, model: m}}\n  - {id: b, main_agent: true, backend: {type: ollama, model: m}}\n",
    at: "3:13",
    path: "agents[1].main_agent",
    message: "more than one agent is the 'main_agent' (the first at line 2)",
    hint: /leave it out of the others/,
  },
  CFG096: {
    yaml: backend("output_schema: {title: string}"),
    at: "6:7",
    path: "agents[0].backend.output_schema",
    message: "'output_schema' has no 'type', so it asks for no shape",
    hint: /type: object/,
    severity: "warning",
  },
  CFG097: {
    yaml: "agents:\n  - id: a\n    backend: {type: claude, enable_strict_tool_use: true, enable_programmatic_flow: true}\n",
    at: "3:29",
    path: "agents[0].backend.enable_strict_tool_use",
    message: "'enable_strict_tool_use' does not go with 'enable_programmatic_flow'",
    hint: "Remove one of them.",
    severity: "warning",
  },
} as const satisfies { readonly [code in IssueCode]?: RuleRow };
