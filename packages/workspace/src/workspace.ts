import { type AgentId, type AnonId, MassgenError, type SnapshotRef, type Workspace } from "@massgen/contracts";
import { codeOf, type Disk } from "./disk.js";
import { createPacer, type Pacer } from "./pacer.js";
import type { Queue } from "./queue.js";
import { MARKER } from "./run/given-folder.js";
import type { TwoTier } from "./run/two-tier.js";
import type { SnapshotStore } from "./snapshots.js";
import { copyTree } from "./tree/copy-tree.js";
import type { Excludes } from "./tree/exclude.js";
import { NO_LIMITS, type TreeLimits, type TreeManifest } from "./tree/manifest.js";
import { emptyFolder } from "./tree/remove-tree.js";

export interface Cancellable {
  /** Ends the work with the signal's reason; nothing half done is left in sight. */
  readonly signal?: AbortSignal | undefined;
}

/** The files of one agent in one run. Calls for one agent are done one after another. */
export interface AgentWorkspace extends Workspace {
  readonly anon: AnonId;
  /** HOME and caches of its child processes; nobody else's, gone with the run. */
  readonly home: string;
  /** Its read-only copies of peers' files, whether anything is shown yet or not. The path stays the same for the run. */
  readonly view: string;
  /** Where its versions are kept. */
  readonly snapshots: string;
  /** Whether the user named the folder by an absolute path. What was in it before the run is never removed or replaced. */
  readonly isGiven: boolean;
  publish(options?: Cancellable): Promise<SnapshotRef>;
  restore(snapshot: SnapshotRef, options?: Cancellable): Promise<void>;
  /** Empties the folder but for `memory/`, `tasks/` and, of a given folder, what was there before the run. */
  clear(options?: Cancellable): Promise<void>;
  /** Adds a copy of a folder, the workspace of an earlier turn, to an empty workspace. */
  prefill(from: string, options?: Cancellable): Promise<TreeManifest>;
}

export interface WorkspaceParts {
  readonly agent: AgentId;
  readonly anon: AnonId;
  readonly root: string;
  readonly home: string;
  readonly view: string;
  readonly isGiven: boolean;
  readonly kept: ReadonlySet<string>;
  readonly queue: Queue;
  readonly disk: Disk;
  readonly excludes: Excludes;
  readonly limits: TreeLimits;
  readonly snapshots: SnapshotStore;
  readonly snapshotDir: string;
  /** `null`: the workspace has no folders of its own accord. */
  readonly twoTier: TwoTier | null;
  readonly storeOf: (agent: AgentId) => SnapshotStore;
}

/** What the next round of an agent builds on, whatever becomes of its files. */
const SPARED = new Set(["memory", "tasks"]);

export function buildWorkspace(parts: WorkspaceParts): AgentWorkspace {
  const { agent, anon, root, home, view, isGiven, kept, queue, disk, snapshots, twoTier, excludes, limits } = parts;
  const emptied = (pace: Pacer, spares: (name: string) => boolean): Promise<void> =>
    emptyFolder(root, pace, (name) => kept.has(name) || spares(name));
  return {
    agent,
    anon,
    root,
    home,
    view,
    snapshots: parts.snapshotDir,
    isGiven,
    publish: ({ signal } = {}) =>
      queue(async () => {
        const { version } = await aboutFiles(`The files of "${agent}" could not be published`, root, () =>
          snapshots.publish(root, createPacer(signal)),
        );
        await twoTier?.note(version);
        return { agent, version };
      }),
    restore: (snapshot, { signal } = {}) =>
      queue(async () => {
        const store = parts.storeOf(snapshot.agent);
        const pace = createPacer(signal);
        await store.using(snapshot.version, () =>
          aboutFiles(`The files of "${agent}" could not be restored`, root, async () => {
            await emptied(pace, () => false);
            await copyTree(store.folder(snapshot.version), root, { disk, excludes: (path) => kept.has(path), limits: NO_LIMITS, pace });
            twoTier?.prepare();
          }),
        );
      }),
    clear: ({ signal } = {}) =>
      queue(() =>
        aboutFiles(`The workspace of "${agent}" could not be emptied`, root, async () => {
          await emptied(createPacer(signal), (name) => SPARED.has(name));
          twoTier?.prepare();
        }),
      ),
    prefill: (from, { signal } = {}) =>
      queue(() =>
        aboutFiles(`The files of an earlier turn could not be given to "${agent}"`, root, () =>
          copyTree(from, root, { disk, excludes: (path) => path === MARKER || excludes(path), limits, pace: createPacer(signal) }),
        ),
      ),
  };
}

/** Runs work on files and says, when it fails, what was attempted, where, and what to do. */
export async function aboutFiles<T>(attempt: string, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (MassgenError.is(error) || (error instanceof Error && error.name === "AbortError")) throw error;
    const code = codeOf(error);
    if (code === "") throw error;
    throw new MassgenError("STORE_FAILED", `${attempt}: ${place}: ${error instanceof Error ? error.message : code}`, {
      hint: HINTS[code] ?? "Check the folder and its rights.",
      cause: error,
    });
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full: make room and run again.",
  EDQUOT: "Your quota on this disk is used up: make room and run again.",
  EROFS: "The disk is read-only: choose another folder.",
  EACCES: "Give yourself the right to write there.",
};
