import type { KeyTable } from "../key-table.js";
import { agentTable } from "../keys/agent.js";
import { backendKeys } from "../keys/backend.js";
import { securityTable, serverTable } from "../keys/backend-mcp.js";
import { coordinationTable } from "../keys/coordination.js";
import { hookEventTable, hooksTable, hookTable } from "../keys/hooks.js";
import { memoryTable } from "../keys/memory.js";
import { orchestratorTable } from "../keys/orchestrator.js";
import { timeoutTable, topTable, uiTable } from "../keys/sections.js";

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Tables with a name of their own, and how paths into them begin in `keyNotes`. The top level has no name. */
export const namedTables: ReadonlyMap<KeyTable, string> = new Map([
  [topTable, ""],
  [agentTable, "agents[]"],
  [backendKeys, "backend"],
  [orchestratorTable, "orchestrator"],
  [coordinationTable, "coordination"],
  [timeoutTable, "timeout_settings"],
  [uiTable, "ui"],
  [memoryTable, "memory"],
  [hooksTable, "hooks"],
  [hookEventTable, "hook_event"],
  [hookTable, "hook"],
  [serverTable, "mcp_server"],
  [securityTable, "security"],
]);

export const joinPath = (at: string, key: string): string => (at === "" ? key : `${at}.${key}`);
