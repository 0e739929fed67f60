import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../disk.js";
import type { SnapshotStore } from "../snapshots.js";
import { type History, openHistory } from "./history.js";

/** Drafts and experiments in one folder, what counts in the other. */
const FOLDERS: readonly string[] = ["scratch", "deliverable"];

/** The two folders of a workspace and the history of its versions. */
export interface TwoTier {
  /** Makes the folders that are missing. */
  prepare(): void;
  /** Adds a version to the history. */
  note(version: string): Promise<void>;
}

export interface TwoTierOptions {
  readonly root: string;
  /** Of the repository. */
  readonly historyDir: string;
  readonly store: SnapshotStore;
  readonly now: () => number;
  /** Told when there is no history; the run goes on. */
  readonly onWarning: (message: string) => void;
}

export async function openTwoTier({ root, historyDir, store, now, onWarning }: TwoTierOptions): Promise<TwoTier> {
  let history: History | null = null;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      history = null;
      onWarning(`The versions of ${root} get no history: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const prepare = (): void => {
    for (const name of FOLDERS) makeFolder(join(root, name));
  };
  prepare();
  await attempt(async () => {
    const { history: opened, isNew } = await openHistory(historyDir, now);
    if (isNew) await opened.commit("[INIT] Workspace", root, { files: [], links: [] });
    history = opened;
  });
  return {
    prepare,
    note: (version) => attempt(async () => history?.commit(`[SNAPSHOT] ${version}`, store.folder(version), store.manifest(version))),
  };
}

/** What an agent put under the name stays. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
