import type { AgentId } from "@massgen/contracts";
import { type CommandRunnerOptions, surveyGrant } from "@massgen/exec";
import type { ContextPath, Policy } from "@massgen/policy";
import type { AgentWorkspace } from "@massgen/workspace";
import type { Staging } from "../delivery/staging.js";

export type Walls = ReturnType<CommandRunnerOptions["grants"]>;

export const NO_WALLS: Walls = { writable: [], readable: [], protected: [], hidden: [] };

export interface WallsSubject {
  readonly agent: AgentId;
  readonly workspace: AgentWorkspace;
  readonly contexts: readonly ContextPath[];
  /** Folders of earlier turns, only ever read. */
  readonly earlier: readonly string[];
  readonly staging: Staging | null;
  readonly policy: Policy;
  readonly mayWrite: boolean;
  /** The sandbox shows copies under the names of what they stand for; else commands know them by their own. */
  readonly isRelocating: boolean;
}

/** What commands may touch besides the workspace: the same rules as for the file tools, as paths. */
export async function surveyWalls(subject: WallsSubject): Promise<Walls> {
  const { agent, workspace, contexts, earlier, staging, policy, mayWrite, isRelocating } = subject;
  const standIns = mayWrite ? (staging?.standIns ?? []) : [];
  const places = contexts.map(({ path, permission }) => {
    const source = standIns.find((one) => one.path === path)?.source ?? path;
    const shownAs = (entry: string): string => (isRelocating ? path + entry.slice(source.length) : entry);
    return { source, path: shownAs(source), isWritable: mayWrite && permission === "write", shownAs };
  });
  const turns = earlier.map((path) => ({ source: path, path, isWritable: false, shownAs: (entry: string) => entry }));
  const hidden: string[] = [];
  const guarded: string[] = [];
  for (const { source, isWritable, shownAs } of [...places, ...turns]) {
    const found = await surveyGrant(source, async (entry, kind) => {
      const reads = await policy.decidePath(agent, kind === "folder" ? "list" : "read", entry);
      if (reads.verdict.type !== "allow") return "hidden";
      const writes = await policy.decidePath(agent, kind === "folder" ? "delete_tree" : "write", entry);
      return writes.verdict.type === "allow" || kind === "folder" ? "open" : "protected";
    }).catch((error: NodeJS.ErrnoException) => {
      // A single file has nothing inside.
      if (error.code === "ENOTDIR" || error.code === "ENOENT") return { protected: [], hidden: [] };
      throw error;
    });
    hidden.push(...found.hidden.map(shownAs));
    if (isWritable) guarded.push(...found.protected.map(shownAs));
  }
  const pathsOf = (isWritable: boolean): readonly string[] =>
    [...places, ...turns].filter((place) => place.isWritable === isWritable).map(({ path }) => path);
  return {
    writable: pathsOf(true),
    readable: [workspace.view, ...pathsOf(false)],
    protected: guarded,
    hidden,
    ...(isRelocating && standIns.length > 0 ? { standIns } : {}),
  };
}
