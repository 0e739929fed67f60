export { createWorkspaces, type Workspaces } from "./create-workspaces.js";
export type { ApplyReport } from "./delivery/bring-changes.js";
export { type ContextCopyOptions, type CopiedContext, copyOf } from "./delivery/context-copy.js";
export type { Delivered } from "./delivery/copy-out.js";
export { applyKeptChanges, conflictsOfKept, forgetChanges, type KeptChanges, readKeptChanges } from "./delivery/kept-changes.js";
export { type ChangeRecord, recordChanges } from "./delivery/record-changes.js";
export { type ApplyOptions, openStage, type Stage, type StageOptions } from "./delivery/stage.js";
export type { Disk } from "./disk.js";
export type { WorkspaceAgent, WorkspacesOptions } from "./options.js";
export { type AgentPaths, pathsForComparison, pathsForUser, pathsForViewer } from "./paths/answer-paths.js";
export { type PathRule, type RewriteOptions, rewritePaths } from "./paths/rewrite-paths.js";
export type { SnapshotManifest } from "./snapshots.js";
export { defaultExcludes } from "./tree/exclude.js";
export {
  type CopiedFile,
  type CopiedLink,
  defaultLimits,
  type Skipped,
  type SkipReason,
  type TreeLimits,
  type TreeManifest,
} from "./tree/manifest.js";
export type { AgentWorkspace, Cancellable } from "./workspace.js";
