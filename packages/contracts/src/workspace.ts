import type { SnapshotRef } from "./facts.js";
import type { AgentId, AnonId } from "./ids.js";
import type { PathOp, ToolEffect, ToolOrigin } from "./tool.js";

/** The files of one agent in one run. Paths are absolute; nothing outside `root` is ever written through it. */
export interface Workspace {
  readonly agent: AgentId;
  readonly root: string;
  /** Freezes the tree as an immutable version; an empty tree gives an empty version. Versions no fact names are pruned. */
  publish(): Promise<SnapshotRef>;
  /** Makes the tree exactly that version. */
  restore(snapshot: SnapshotRef): Promise<void>;
  clear(): Promise<void>;
}

/** A folder of a view: the files of an agent's answer, or of what the attempt before this one had presented. */
export type ViewName = AnonId | "previous_attempt";

export interface WorkspaceProvider {
  open(agent: AgentId): Promise<Workspace>;
  /** Rebuilds the viewer's read-only copies `<path>/agent1/`, … so that text and files are of the same version. */
  refreshView(viewer: AgentId, shown: ReadonlyMap<ViewName, SnapshotRef>): Promise<{ readonly path: string }>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** `rule` names the reason for people and logs; `reason` is what the agent is told, with the way out. */
export type PolicyVerdict =
  | { readonly type: "allow"; readonly rule: string }
  | { readonly type: "deny"; readonly rule: string; readonly reason: string }
  | { readonly type: "ask"; readonly rule: string; readonly reason: string };

/** Where a path leads: `lexical` is absolute and normalised, `real` has its links followed as far as it exists. */
export interface ResolvedPath {
  readonly lexical: string;
  readonly real: string;
}

/**
 * Decides about effects before they happen. Immutable: entering presentation builds a new policy for the presenter.
 * Denies when in doubt; a thrown error is a denial.
 */
export interface PermissionPolicy {
  resolve(agent: AgentId, op: PathOp, path: string): Promise<ResolvedPath>;
  /**
   * Paths are taken as the agent wrote them and resolved first; the strictest verdict of all effects counts. `origin`: whose
   * tool it is, for rules that hold our own only; absent means ours.
   */
  decide(agent: AgentId, effects: readonly ToolEffect[], origin?: ToolOrigin): Promise<PolicyVerdict>;
  /** The same grants with `agent` allowed to write the context paths configured `write`. */
  forPresentation(agent: AgentId): PermissionPolicy;
}
