import type { KeySpec, KeyTable } from "../key-table.js";
import { agentTable } from "../keys/agent.js";
import { backendKeys } from "../keys/backend.js";
import { coordinationTable } from "../keys/coordination.js";
import { hookEventTable, hooksTable, hookTable } from "../keys/hooks.js";
import { orchestratorTable } from "../keys/orchestrator.js";
import { timeoutTable, topTable, uiTable } from "../keys/sections.js";
import type { Shape } from "../shapes.js";
import { defaultOf } from "./default-of.js";
import { keyNotes } from "./key-notes.js";
import { joinPath, namedTables } from "./named-tables.js";

/** One key of the language, for people. */
export interface KeyRow {
  /** Below its section: `budget.warn_at`. */
  readonly key: string;
  readonly type: string;
  /** As it would be written; empty for none. */
  readonly fallback: string;
  /** What it is for; empty where the name says it all, and for keys that do not work yet. */
  readonly note: string;
  readonly works: boolean;
  /** Provider types; empty for all. */
  readonly only: readonly string[];
}

export interface KeySection {
  /** Where the keys stand: `orchestrator.coordination`; empty for the top level. */
  readonly where: string;
  readonly rows: readonly KeyRow[];
}

const sections: readonly (readonly [where: string, table: KeyTable])[] = [
  ["", topTable],
  ["agents[]", agentTable],
  ["agents[].backend", backendKeys],
  ["orchestrator", orchestratorTable],
  ["orchestrator.coordination", coordinationTable],
  ["timeout_settings", timeoutTable],
  ["ui", uiTable],
  ["hooks", hooksTable],
  ["hooks.PreToolUse", hookEventTable],
  ["hooks.PreToolUse[]", hookTable],
];

/** Every key there is, by section, in the order of the tables. Keys that have no effect are left out. */
export function keySections(): readonly KeySection[] {
  return sections.map(([where, table]) => ({ where, rows: rowsOf(table, namedTables.get(table) ?? where, "") }));
}

function rowsOf(table: KeyTable, path: string, below: string): readonly KeyRow[] {
  return Object.entries(table.keys).flatMap(([key, spec]) => {
    if (spec.support.is === "kept") return [];
    const row = rowOf(spec, joinPath(path, key), joinPath(below, key));
    const inner: readonly (readonly [table: KeyTable | undefined, step: string])[] = [
      [spec.keys?.(), key],
      [spec.each?.(), `${key}[]`],
    ];
    const rows = inner.flatMap(([one, step]) =>
      one === undefined || namedTables.has(one) || isWhole(one) ? [] : rowsOf(one, joinPath(path, step), joinPath(below, step)),
    );
    return [row, ...rows];
  });
}

/** A table that repeats a whole section, as the backend of a helper does. */
const isWhole = (table: KeyTable): boolean =>
  table.kind === "free" || "backend" in table.keys || "temperature" in table.keys || "agents" in table.keys;

function rowOf({ shape, support, only }: KeySpec, path: string, key: string): KeyRow {
  const fallback = defaultOf(path);
  const unbuilt = support.is === "ignored" || support.is === "refused";
  return {
    key,
    type: typeWords(shape),
    fallback: fallback === undefined ? "" : Array.isArray(fallback) ? fallback.join(", ") : String(fallback),
    note: unbuilt ? "" : (keyNotes[path] ?? ""),
    works: !unbuilt,
    only: only ?? [],
  };
}

const typeWords = ({ values, words }: Shape<unknown>): string =>
  values === undefined || words.startsWith("a list") ? words.replace(" (at most 24 days)", "") : values.join(" | ");
