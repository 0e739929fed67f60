import type { KeyTable } from "./key-table.js";
import { agentTable } from "./keys/agent.js";
import { backendKeys } from "./keys/backend.js";
import { coordinationTable } from "./keys/coordination.js";
import { orchestratorTable } from "./keys/orchestrator.js";
import { timeoutTable, topTable, uiTable } from "./keys/sections.js";

const levels: readonly (readonly [where: string, table: KeyTable])[] = [
  ["the top level", topTable],
  ["orchestrator", orchestratorTable],
  ["agents[]", agentTable],
  ["agents[].backend", backendKeys],
  ["orchestrator.coordination", coordinationTable],
  ["timeout_settings", timeoutTable],
  ["ui", uiTable],
];

/** The level at which a key that is unknown in `table` does something: `orchestrator`; `null` when there is none. */
export function homeOf(key: string, table: KeyTable): string | null {
  const doesSomething = (other: KeyTable): boolean => Object.hasOwn(other.keys, key) && other.keys[key]!.support.is !== "kept";
  return levels.find(([, other]) => other !== table && doesSomething(other))?.[0] ?? null;
}

/** True for keys of other levels that stand in a backend by mistake. They are never sent to a vendor. */
export function isForeignToBackend(key: string): boolean {
  return !Object.hasOwn(backendKeys.keys, key) && homeOf(key, backendKeys) !== null;
}
