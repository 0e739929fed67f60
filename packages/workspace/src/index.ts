export { createWorkspaces, type Workspaces } from "./create-workspaces.js";
export type { Delivered } from "./delivery/copy-out.js";
export type { Disk } from "./disk.js";
export type { WorkspaceAgent, WorkspacesOptions } from "./options.js";
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
