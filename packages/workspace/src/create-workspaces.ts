import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentId, SnapshotRef, ViewName, WorkspaceProvider } from "@massgen/contracts";
import { type AgentFolders, openAgents } from "./agent-folders.js";
import { copyOut, type Delivered } from "./delivery/copy-out.js";
import { nodeDisk } from "./disk.js";
import { DEFAULT_RETENTION_MS, type WorkspacesOptions } from "./options.js";
import { createPacer } from "./pacer.js";
import { newToken } from "./run/layout.js";
import { endRun, type OpenRun, openRun } from "./run/open-run.js";
import { sweepStaleRuns } from "./run/sweep.js";
import type { SnapshotManifest } from "./snapshots.js";
import { NO_LIMITS } from "./tree/manifest.js";
import { type AgentWorkspace, aboutFiles, type Cancellable } from "./workspace.js";

/** The workspaces of one run, in folders of the file system. */
export interface Workspaces extends WorkspaceProvider {
  open(agent: AgentId): Promise<AgentWorkspace>;
  /** Folders whose version is shown already are left as they are. A peer without an answer has no folder. */
  refreshView(viewer: AgentId, shown: ReadonlyMap<ViewName, SnapshotRef>, options?: Cancellable): Promise<{ readonly path: string }>;
  /** What a version holds, and what was left out of it. */
  manifestOf(snapshot: SnapshotRef): Promise<SnapshotManifest>;
  /** Removes the versions that are not named here, and returns them; the newest of an agent and those being read stay. */
  prune(named: Iterable<SnapshotRef>, options?: Cancellable): Promise<readonly SnapshotRef[]>;
  /**
   * Copies a version, or an agent's workspace as it is now, to `to`, which is replaced as a whole. A workspace without
   * files gives those of `otherwise`.
   */
  copyOut(
    from: SnapshotRef | { readonly workspaceOf: AgentId; readonly otherwise: SnapshotRef | null },
    to: string,
    options?: Cancellable,
  ): Promise<Delivered>;
  /** A folder of this run alone that no agent can reach, gone with the run. */
  makePrivateFolder(): Promise<string>;
}

const BEAT_MS = 10_000;

/**
 * Opens the folders of a run and removes what dead runs left. Every agent gets its folder at once; a run id that was played
 * before finds its snapshots again and gets new, empty workspaces.
 *
 * @throws MassgenError `CONFIG_INVALID` when a `cwd` cannot be used, `RUN_BUSY` when this run or a given folder is in use,
 *   `STORE_FAILED` when the disk refuses
 */
export function createWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  return aboutFiles("The folders of the run could not be made", options.baseDir, () => openWorkspaces(options));
}

async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  const { now = Date.now, onWarning = () => {}, retentionMs = DEFAULT_RETENTION_MS } = options;
  const run = openRun({ ...options, now });
  try {
    await sweepStaleRuns({ runsDir: run.layout.runs, roots: run.roots, now: now(), retentionMs, pace: createPacer(), onWarning });
    return provide(run, await openAgents(run, options), options);
  } catch (error) {
    await endRun(run, now(), onWarning);
    throw error;
  }
}

function provide(run: OpenRun, folders: AgentFolders, options: WorkspacesOptions): Workspaces {
  const { disk = nodeDisk, now = Date.now, onWarning = () => {} } = options;
  const beat = setInterval(run.record.beat, BEAT_MS).unref();
  let closed: Promise<void> | null = null;
  return {
    open: async (agent) => folders.of(agent).workspace,
    refreshView: (viewer, shown, { signal } = {}) => refreshView(folders, viewer, shown, signal),
    manifestOf: async ({ agent, version }) => folders.of(agent).store.manifest(version),
    async prune(named, { signal } = {}) {
      const keep = [...named];
      const removed: SnapshotRef[] = [];
      for (const { workspace, store } of folders.all) {
        const versions = new Set(keep.filter(({ agent }) => agent === workspace.agent).map(({ version }) => version));
        const gone = await store.prune(versions, createPacer(signal));
        removed.push(...gone.map((version) => ({ agent: workspace.agent, version })));
      }
      return removed;
    },
    async copyOut(from, to, { signal } = {}) {
      const copy = { disk, to, pace: createPacer(signal) };
      const versionOf = ({ agent, version }: SnapshotRef): Promise<Delivered> => {
        const { store } = folders.of(agent);
        return store.using(version, () => copyOut({ ...copy, ...WHOLE, from: store.folder(version), source: "snapshot" }));
      };
      if ("version" in from) return versionOf(from);
      const { workspace, excludes, limits } = folders.of(from.workspaceOf);
      const delivered = await copyOut({ ...copy, excludes, limits, from: workspace.root, source: "workspace" });
      if (delivered.files.length > 0 || from.otherwise === null) return delivered;
      return versionOf(from.otherwise);
    },
    async makePrivateFolder() {
      const folder = join(run.layout.stages, run.runId, newToken());
      run.record.own({ passing: [folder] });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    close() {
      closed ??= (async () => {
        clearInterval(beat);
        // A view that is being built is finished first.
        for (const { views } of folders.all) await views(async () => {});
        await endRun(run, now(), onWarning);
      })();
      return closed;
    },
  };
}

/** For versions, which kept the limits when they were made. */
const WHOLE = { excludes: () => false, limits: NO_LIMITS };

async function refreshView(
  folders: AgentFolders,
  viewer: AgentId,
  shown: ReadonlyMap<ViewName, SnapshotRef>,
  signal: AbortSignal | undefined,
): Promise<{ readonly path: string }> {
  const { view, views } = folders.of(viewer);
  const wanted = [...shown].map(([anon, { agent, version }]) => ({
    anon,
    key: `${agent} ${version}`,
    version,
    store: folders.of(agent).store,
  }));
  const show = (): Promise<void> =>
    view.show(
      wanted.map(({ anon, key, version, store }) => ({ anon, key, from: store.folder(version) })),
      createPacer(signal),
    );
  // No version is pruned while it is copied.
  const held = wanted.reduce<() => Promise<void>>(
    (inner, { store, version }) =>
      () =>
        store.using(version, inner),
    show,
  );
  await views(() => aboutFiles(`The files of peers could not be shown to "${viewer}"`, view.path, held));
  return { path: view.path };
}
