import { existsSync } from "node:fs";
import { MassgenError, type RunId } from "@massgen/contracts";
import type { WorkspacesOptions } from "../options.js";
import { createPacer } from "../pacer.js";
import { tryRemoveTree } from "../tree/remove-tree.js";
import { checkPlaces, type Placed } from "./check-places.js";
import { type Layout, newToken, openLayout, placeWorkspace, type WorkspacePlace } from "./layout.js";
import { type OwnRecord, openRecord } from "./run-record.js";
import { removeEmptyParents } from "./sweep.js";

/** A run whose places are known and recorded as its own. */
export interface OpenRun {
  readonly runId: RunId;
  readonly layout: Layout;
  /** The folders below which this program makes and removes folders, and nowhere else. */
  readonly roots: readonly string[];
  readonly places: readonly (Placed & WorkspacePlace)[];
  readonly record: OwnRecord;
}

export function openRun(options: WorkspacesOptions & { readonly now: () => number }): OpenRun {
  const { runId, agents, writablePaths = [], now } = options;
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/.test(runId)) throw new MassgenError("USAGE", `"${runId}" cannot be the id of a run.`);
  const layout = openLayout(options);
  const places = agents.map(({ id, cwd }) => ({ agent: id, ...placeWorkspace(layout, cwd, newToken()) }));
  checkPlaces(places, writablePaths);
  const { base, snapshots, views } = layout;
  return { runId, layout, roots: [base, snapshots, views], places, record: openRecord(layout.runs, runId, now()) };
}

/** Removes what is of no use any more; workspaces and snapshots stay for a while. */
export async function endRun({ layout, roots, record }: OpenRun, now: number, onWarning: (message: string) => void): Promise<void> {
  for (const folder of record.owned().passing) {
    const failure = existsSync(folder) ? await tryRemoveTree(folder, roots, createPacer()) : null;
    if (failure !== null) onWarning(failure);
    removeEmptyParents(folder, [layout.views, layout.homes, layout.stages]);
  }
  record.end(now);
}
