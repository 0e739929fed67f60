import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

const configs = new URL("../../../configs/", import.meta.url);

/** The text of every shipped example. */
export const exampleTexts: ReadonlyMap<string, string> = new Map(
  readdirSync(configs, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.ya?ml$/.test(path))
    .sort()
    .map((path) => [path, readFileSync(new URL(path.replaceAll("\\", "/"), configs), "utf8")]),
);

/** Every form in use that is rewritten, and a config with keys of every section. */
export const formTexts: readonly string[] = [
  "agent: {id: solo, backend: {type: OpenAI, model: gpt-5-nano, reasoning: {effort: low}}}\nui: {display_type: simple}\n",
  "agents:\n  a: {backend: {type: groq, model: m}}\n  b: {backend: {type: Kimi, model: m}}\n",
  "agents: {id: a, backend: {model: gpt-5-nano}}\ndisplay: {type: textual}\n",
  "agents: [{backend: {model: claude-haiku-4-5}, temperature: 0.2, cwd: work, append_system_prompt: x}]\ntask: why?\ntimeout: {orchestrator_timeout_seconds: 9}\n",
  `x-shared: &shared {type: openrouter, model: m}
agents:
  - {id: ada, backend: {<<: *shared, temperature: 1, top_k: 3, max_tokens: 100, mcp_servers: [{name: s, type: stdio, command: npx, args: [a]}]}, subtask: one}
  - {id: bob, backend: {type: grok, model: grok-4, enable_web_search: true, extra_body: {search_parameters: {mode: auto}}}, subtask: two, voting_sensitivity: strict}
orchestrator:
  coordination_mode: decomposition
  presenter_agent: ada
  max_orchestration_restarts: 1
  tie_break: [confidence, peer_votes]
  convergence_threshold: 0.7
  budget: {max_total_cost_usd: 1.5, warn_at: 0.5}
  coordination: {enable_planning_mode: true, planning_mode_instruction: plan}
  snapshot_storage: snapshots
  context_paths: [{path: src, permission: read}]
timeout_settings: {initial_round_timeout_seconds: null, agent_stall_timeout_seconds: 30}
memory: {enabled: false, compression: {trigger_threshold: 0.5}}
`,
];

export const sampleTexts: readonly string[] = [...exampleTexts.values(), ...formTexts];
export const sampleObjects: readonly unknown[] = sampleTexts.map((text) => parse(text, { merge: true }) as unknown);
