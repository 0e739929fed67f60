import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Disk } from "../disk.js";
import type { Pacer } from "../pacer.js";
import { newToken } from "../run/layout.js";
import { copyTree } from "../tree/copy-tree.js";
import type { Excludes } from "../tree/exclude.js";
import type { TreeLimits, TreeManifest } from "../tree/manifest.js";
import { aboutFiles } from "../workspace.js";

/** Files of an agent where people find them. */
export interface Delivered extends TreeManifest {
  readonly path: string;
  readonly source: "workspace" | "snapshot";
}

export interface CopyOutOptions {
  readonly from: string;
  readonly to: string;
  readonly source: Delivered["source"];
  readonly disk: Disk;
  readonly excludes: Excludes;
  readonly limits: TreeLimits;
  readonly pace: Pacer;
}

/** Copies a tree to `to`, which gets its name when it is complete, and replaces what had it. */
export function copyOut({ from, to, source, disk, excludes, limits, pace }: CopyOutOptions): Promise<Delivered> {
  return aboutFiles("Files could not be delivered", to, async () => {
    const unfinished = `${to}.${newToken()}.tmp`;
    mkdirSync(dirname(to), { recursive: true });
    try {
      mkdirSync(unfinished);
      const tree = await copyTree(from, unfinished, { disk, excludes, limits, pace });
      const old = `${to}.${newToken()}.old`;
      const replaces = existsSync(to);
      if (replaces) renameSync(to, old);
      disk.renameSync(unfinished, to);
      if (replaces) rmSync(old, { recursive: true });
      return { ...tree, path: to, source };
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      throw error;
    }
  });
}
