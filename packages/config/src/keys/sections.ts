import { built, closed, enabledBy, free, ignored, type KeyTable, kept, refused } from "../key-table.js";
import { bool, list, map, number, oneOf, seconds, secondsOrNull, secondsOrZero, text } from "../shapes.js";
import { agentTable } from "./agent.js";
import { mcpKeys } from "./backend-mcp.js";
import { hooksKey } from "./hooks.js";
import { filesystemMemoryTable, memoryTable } from "./memory.js";
import { orchestratorTable } from "./orchestrator.js";

/** docs/spec/config.md 15. */
export const timeoutKeys = {
  orchestrator_timeout_seconds: built(seconds),
  initial_round_timeout_seconds: built(secondsOrNull),
  subsequent_round_timeout_seconds: built(secondsOrNull),
  round_timeout_grace_seconds: built(secondsOrZero),
  final_presentation_timeout_seconds: built(seconds),
  post_evaluation_timeout_seconds: built(seconds),
  agent_stall_timeout_seconds: built(seconds),
  agent_timeout_seconds: kept(number),
};

export const timeoutTable: KeyTable = closed("CFG044", "CFG082", timeoutKeys);

/** docs/spec/config.md 16. The names of screens that are no more all mean the one there is. */
const displayType = oneOf(["rich_terminal", "textual_terminal", "rich", "textual", "terminal", "simple", "silent", "none"]);

export const uiKeys = {
  display_type: built(displayType, { code: "CFG083" }),
  logging_enabled: built(bool),
  use_orchestrator_for_single_agent: built(bool),
  automation_mode: built(bool),
  debug: built(bool),
  theme: built(oneOf(["dark", "light", "contrast", "none"])),
  screen_reader: built(bool),
  live_timeline: built(bool),
  show_agent_cards: built(bool),
  skip_agent_selector: kept(bool),
};

export const uiTable: KeyTable = closed("CFG044", "CFG033", uiKeys);

const checkpoint = closed("CFG045", "CFG094", {
  enabled: ignored("checkpoints", bool),
  mode: ignored("checkpoints", oneOf(["conversation", "task"])),
  guidance: ignored("checkpoints", text),
  gated_patterns: ignored("checkpoints", list),
});

/** docs/spec/config.md 3. */
export const topTable: KeyTable = closed("CFG040", "CFG033", {
  agents: built(list, { code: "CFG023", each: () => agentTable }),
  agent: built(map, { code: "CFG026", keys: () => agentTable }),
  orchestrator: built(map, { code: "CFG091", keys: () => orchestratorTable }),
  ui: built(map, { keys: () => uiTable }),
  timeout_settings: built(map, { code: "CFG082", keys: () => timeoutTable }),
  prompt: built(text),
  session_id: refused("sessions", text),
  memory: ignored("memory", map, { code: "CFG092", keys: () => memoryTable, ...enabledBy("enabled") }),
  filesystem_memory: ignored("memory", map, { code: "CFG092", keys: () => filesystemMemoryTable, ...enabledBy("enabled") }),
  hooks: hooksKey,
  checkpoint: ignored("checkpoints", map, { code: "CFG094", keys: () => checkpoint, ...enabledBy("enabled") }),
  nlip: ignored("nlip", map, { keys: () => free }),
  enable_nlip: ignored("nlip", bool),
  ...mcpKeys,
});
