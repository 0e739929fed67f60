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
  CFG096: {
    yaml: backend("output_schema: {title: string}"),
    at: "6:7",
    path: "agents[0].backend.output_schema",
    message: "'output_schema' has no 'type', so it asks for no shape",
    hint: /type: object/,
    severity: "warning",
  },
} as const satisfies { readonly [code in IssueCode]?: RuleRow };
