import { built, closed, free, ignored, type KeyTable, refused } from "../key-table.js";
import { bool, list, map, text } from "../shapes.js";
import { backendKeys } from "./backend.js";
import { memoryTable } from "./memory.js";
import { votingSensitivity } from "./voting-sensitivity.js";

/** One agent (docs/spec/config.md 4). Keys that belong elsewhere are moved before this table is asked. */
export const agentTable: KeyTable = closed("CFG041", "CFG033", {
  id: built(text, { code: "CFG026" }),
  backend: built(map, { code: "CFG028", keys: () => backendKeys }),
  system_message: built(text, { code: "CFG029" }),
  voting_sensitivity: built(votingSensitivity, { code: "CFG080" }),
  memory: ignored("memory", map, { keys: () => memoryTable, code: "CFG092", isOff: memoryIsOff }),
  subtask: built(text),
  subagent_agents: refused("subagents", list),
  main_agent: refused("checkpoints", bool),
  enable_nlip: ignored("nlip", bool),
  nlip: ignored("nlip", map, { keys: () => free }),
});

function memoryIsOff(value: unknown): boolean {
  return typeof value === "object" && value !== null && !("enabled" in value && value.enabled === true);
}
