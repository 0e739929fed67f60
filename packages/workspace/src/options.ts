import type { AgentId, AnonId, RunId } from "@massgen/contracts";
import type { Disk } from "./disk.js";
import type { TreeLimits } from "./tree/manifest.js";

export interface WorkspaceAgent {
  readonly id: AgentId;
  readonly anon: AnonId;
  /** A name, which gets a folder of its own below `.massgen/workspaces`; or an absolute path (`~` too), used as it is. */
  readonly cwd: string;
}

export interface WorkspacesOptions {
  /** The `.massgen` folder, absolute; made when it is not there. */
  readonly baseDir: string;
  readonly runId: RunId;
  /** Those with a workspace. */
  readonly agents: readonly WorkspaceAgent[];
  /** `orchestrator.snapshot_storage`; default `snapshots`, below `baseDir`. */
  readonly snapshotDir?: string;
  /** `orchestrator.agent_temporary_workspace`; default `temp_workspaces`, below `baseDir`. */
  readonly viewDir?: string;
  /** Context paths somebody may write, absolute: a workspace may neither hold one nor lie in one. */
  readonly writablePaths?: readonly string[];
  /** Globs of what is not copied; default: `defaultExcludes`. */
  readonly exclude?: readonly string[];
  /** Globs of what is copied all the same. */
  readonly include?: readonly string[];
  /** Of one snapshot; what is missing is taken from `defaultLimits`. */
  readonly limits?: Partial<TreeLimits>;
  /** How long workspaces and snapshots of a run that is over are kept; default 7 days, `null` for ever. */
  readonly retentionMs?: number | null;
  /** Every workspace has `scratch/` and `deliverable/`, and its versions a history in git; default `false`. */
  readonly twoTier?: boolean;
  /** Told of what could not be cleaned up; the run goes on. */
  readonly onWarning?: (message: string) => void;
  /** Milliseconds since 1970. Default: the clock of the system. */
  readonly now?: () => number;
  /** For tests of full disks. */
  readonly disk?: Disk;
}

export const DEFAULT_RETENTION_MS: number = 7 * 24 * 60 * 60_000;
