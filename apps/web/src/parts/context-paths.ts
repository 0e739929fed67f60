import type { StartRun } from "@massgen/client";

export type ContextPath = NonNullable<StartRun["contextPaths"]>[number];

/** What was kept of a choice; nothing for a text that is none. */
export function foldersIn(text: string): readonly ContextPath[] {
  if (text === "") return [];
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.flatMap(pathIn) : [];
  } catch {
    return [];
  }
}

function pathIn(one: unknown): readonly ContextPath[] {
  if (typeof one !== "object" || one === null || !("path" in one) || typeof one.path !== "string") return [];
  return [{ path: one.path, permission: "permission" in one && one.permission === "write" ? "write" : "read" }];
}
