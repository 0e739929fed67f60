import { join } from "node:path";
import { type AgentId, MassgenError } from "@massgen/contracts";
import { nodeDisk } from "./disk.js";
import type { WorkspaceAgent, WorkspacesOptions } from "./options.js";
import { createPacer } from "./pacer.js";
import { createQueue, type Queue } from "./queue.js";
import { folderNames } from "./run/folder-names.js";
import { MARKER, openGivenFolder } from "./run/given-folder.js";
import { makeNewFolder, newToken } from "./run/layout.js";
import type { OpenRun } from "./run/open-run.js";
import { openTwoTier } from "./run/two-tier.js";
import { openSnapshotDir, openSnapshots, type SnapshotStore } from "./snapshots.js";
import { buildExcludes, defaultExcludes, type Excludes } from "./tree/exclude.js";
import { defaultLimits, type TreeLimits } from "./tree/manifest.js";
import { openView, type View } from "./views.js";
import { type AgentWorkspace, buildWorkspace } from "./workspace.js";

/** All folders of one agent. */
interface AgentFolder {
  readonly workspace: AgentWorkspace;
  readonly store: SnapshotStore;
  readonly view: View;
  /** One change of the view after another. */
  readonly views: Queue;
  readonly excludes: Excludes;
  readonly limits: TreeLimits;
}

export interface AgentFolders {
  readonly all: readonly AgentFolder[];
  /** @throws MassgenError `USAGE` for an agent without a workspace */
  of(agent: AgentId): AgentFolder;
}

export async function openAgents(run: OpenRun, options: WorkspacesOptions): Promise<AgentFolders> {
  const names = folderNames(options.agents.map(({ id }) => id));
  const folders = new Map<AgentId, AgentFolder>();
  const of = (agent: AgentId): AgentFolder => {
    const folder = folders.get(agent);
    if (folder === undefined) throw new MassgenError("USAGE", `Agent "${agent}" has no workspace in this run.`, { hint: "Give it a cwd." });
    return folder;
  };
  for (const agent of options.agents) folders.set(agent.id, await openAgent(run, agent, names.get(agent.id)!, of, options));
  return { all: [...folders.values()], of };
}

async function openAgent(
  { runId, layout, roots, places, record }: OpenRun,
  { id, anon }: WorkspaceAgent,
  name: string,
  of: AgentFolders["of"],
  options: WorkspacesOptions,
): Promise<AgentFolder> {
  const { disk = nodeDisk, now = Date.now } = options;
  const place = places.find(({ agent }) => agent === id)!;
  // Not the one of the workspace: a view says nothing about whose it is.
  const token = newToken();
  const home = join(layout.homes, runId, token);
  const viewPath = join(layout.views, runId, token);
  const staging = join(layout.stages, runId, token);
  const dir = join(layout.snapshots, runId, name);
  // The folder of all homes last: whoever runs commands may have left something beside them.
  record.own({ passing: [home, viewPath, staging, join(layout.homes, runId)], lasting: [dir, ...(place.isGiven ? [] : [place.root])] });

  const given = place.isGiven ? openGivenFolder(place.root, runId, layout.runs, now()) : null;
  if (given === null) makeNewFolder(place.root, layout.base);
  makeNewFolder(home, layout.base);
  await openSnapshotDir(dir, roots, createPacer());
  const configured = buildExcludes(options.exclude ?? defaultExcludes, options.include);
  const excludes: Excludes = (path) => (given !== null && path === MARKER) || configured(path);
  const limits = { ...defaultLimits, ...options.limits };
  const store = openSnapshots({ agent: id, dir, roots, disk, excludes, limits, now });
  const { twoTier: isTwoTier = false, onWarning = () => {} } = options;
  const root = given?.root ?? place.root;
  const historyDir = join(dir, "history.git");
  const twoTier = isTwoTier ? await openTwoTier({ root, historyDir, store, now, onWarning }) : null;
  const view = openView(viewPath, staging, roots, disk);
  const workspace = buildWorkspace({
    agent: id,
    anon,
    root,
    home,
    view: view.path,
    isGiven: place.isGiven,
    kept: given?.kept ?? new Set(),
    queue: createQueue(),
    disk,
    excludes,
    limits,
    snapshots: store,
    snapshotDir: dir,
    twoTier,
    storeOf: (agent) => of(agent).store,
  });
  return { workspace, store, view, views: createQueue(), excludes, limits };
}
