import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ViewName } from "@massgen/contracts";
import type { Disk } from "./disk.js";
import type { Pacer } from "./pacer.js";
import { newToken } from "./run/layout.js";
import { copyTree } from "./tree/copy-tree.js";
import { NO_LIMITS } from "./tree/manifest.js";
import { tryRemoveTree } from "./tree/remove-tree.js";
import { scanTree } from "./tree/scan-tree.js";

interface ViewSource {
  readonly anon: ViewName;
  /** Names the content: a folder that shows it already is left as it is. */
  readonly key: string;
  readonly from: string;
}

/** The read-only copies of peers' files for one viewer: `<path>/agent1/`, `<path>/agent2/`, …. */
export interface View {
  readonly path: string;
  /**
   * Shows exactly these. Every folder is complete before it gets its name, and the one it replaces is never seen half
   * removed.
   */
  show(sources: readonly ViewSource[], pace: Pacer): Promise<void>;
}

/** `staging` is a folder on the same file system where the viewer cannot look. */
export function openView(path: string, staging: string, roots: readonly string[], disk: Disk): View {
  const shown = new Map<ViewName, string>();
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o555);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  return {
    path,
    async show(sources, pace) {
      const isWanted = new Set<string>(sources.map(({ anon }) => anon));
      const changed = sources.filter(({ anon, key }) => shown.get(anon) !== key);
      const built = new Map<ViewName, string>();
      const trash: string[] = [];
      const moveAway = (name: string): void => {
        const old = join(path, name);
        if (!existsSync(old)) return;
        // A folder without the right to write it can be given no other parent.
        chmodSync(old, 0o755);
        trash.push(join(staging, newToken()));
        disk.renameSync(old, trash.at(-1)!);
      };
      try {
        for (const { anon, from } of changed) built.set(anon, await build(from, join(staging, newToken()), roots, disk, pace));
        chmodSync(path, 0o755);
        for (const name of readdirSync(path)) if (!isWanted.has(name)) moveAway(name);
        for (const anon of [...shown.keys()]) if (!isWanted.has(anon)) shown.delete(anon);
        for (const { anon, key } of changed) {
          shown.delete(anon);
          moveAway(anon);
          disk.renameSync(built.get(anon)!, join(path, anon));
          built.delete(anon);
          chmodSync(join(path, anon), 0o555);
          shown.set(anon, key);
        }
      } finally {
        chmodSync(path, 0o555);
        for (const folder of [...trash, ...built.values()]) await tryRemoveTree(folder, roots, () => undefined);
      }
    },
  };
}

async function build(from: string, to: string, roots: readonly string[], disk: Disk, pace: Pacer): Promise<string> {
  mkdirSync(to, { mode: 0o755 });
  try {
    await copyTree(from, to, { disk, excludes: () => false, limits: NO_LIMITS, pace, modeOf: (mode) => mode & 0o555 });
    const { folders } = await scanTree(to, () => false, NO_LIMITS, pace);
    for (const folder of folders.toReversed()) chmodSync(join(to, folder), 0o555);
    return to;
  } catch (error) {
    await tryRemoveTree(to, roots, () => undefined);
    throw error;
  }
}
