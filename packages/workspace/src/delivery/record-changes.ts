import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { createPacer } from "../pacer.js";
import { emptyFolder } from "../tree/remove-tree.js";
import type { Cancellable } from "../workspace.js";
import { compareTrees } from "./compare-trees.js";
import { type ContextCopyOptions, copyContextPaths, withoutGit } from "./context-copy.js";

/** What becomes of context paths that a presenter writes to directly. */
export interface ChangeRecord {
  /** What differs from the context paths as they were, what runs later first; `.git` is not looked at. */
  changes(options?: Cancellable): Promise<readonly FileChange[]>;
  /** Removes the copies of how it was. */
  discard(): Promise<void>;
}

/** Keeps context paths as they are now, to tell later what was changed in them. */
export async function recordChanges(options: ContextCopyOptions): Promise<ChangeRecord> {
  const copies = await copyContextPaths(options);
  return {
    async changes({ signal } = {}) {
      const all: FileChange[] = [];
      for (const { sourceRoot, copyRoot, excludes, links, ...copy } of copies) {
        const files = new Map([...copy.files].map(([name, { file, source: stat }]) => [name, { file, stat, seenAtNs: copy.copiedAtNs }]));
        const { changes } = await compareTrees({ root: copyRoot, files, links }, sourceRoot, withoutGit(excludes), createPacer(signal));
        all.push(...changes.map((change) => ({ ...change, path: join(sourceRoot, change.name) })));
      }
      return all.toSorted((a, b) => Number(b.runsLater) - Number(a.runsLater));
    },
    discard: async () => (existsSync(options.dir) ? emptyFolder(options.dir, createPacer()) : undefined),
  };
}
