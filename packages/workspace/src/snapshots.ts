import { type BigIntStats, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentId, MassgenError } from "@massgen/contracts";
import type { Disk } from "./disk.js";
import type { Pacer } from "./pacer.js";
import { newToken } from "./run/layout.js";
import { copyTree, type Shared } from "./tree/copy-tree.js";
import type { Excludes } from "./tree/exclude.js";
import type { CopiedFile, TreeLimits, TreeManifest } from "./tree/manifest.js";
import { isSame, tickNs } from "./tree/read-file.js";
import { tryRemoveTree } from "./tree/remove-tree.js";
import { writeNew } from "./tree/write-file.js";

/** `manifest.json` of a version. */
export interface SnapshotManifest extends TreeManifest {
  readonly schema: 1;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The versions of one agent: `v0001/manifest.json` and `v0001/workspace/`. A version is there whole or not at all, and never changes. */
export interface SnapshotStore {
  publish(from: string, pace: Pacer): Promise<SnapshotManifest>;
  has(version: string): boolean;
  /** @throws MassgenError `STORE_FAILED` when the version is not there */
  manifest(version: string): SnapshotManifest;
  /** Where the files of the version are; only ever read. */
  folder(version: string): string;
  /** Removes all other versions but those in use. */
  prune(keep: ReadonlySet<string>, pace: Pacer): Promise<readonly string[]>;
  /** Keeps a version from being pruned while it is read. */
  using<T>(version: string, work: () => Promise<T>): Promise<T>;
}

export interface SnapshotStoreOptions {
  readonly agent: AgentId;
  /** Made, and owned by this store alone. */
  readonly dir: string;
  readonly roots: readonly string[];
  readonly disk: Disk;
  readonly excludes: Excludes;
  readonly limits: TreeLimits;
  readonly now: () => number;
}

interface Seen {
  readonly stat: BigIntStats;
  readonly file: CopiedFile;
  readonly seenAtNs: bigint;
}

const VERSION = /^v\d{4,}$/;

export function openSnapshots(options: SnapshotStoreOptions): SnapshotStore {
  const { agent, dir, roots, disk, now } = options;
  const inUse = new Map<string, number>();
  let last = versionsIn(dir).reduce((highest, version) => Math.max(highest, Number(version.slice(1))), 0);
  let latest: { readonly version: string; readonly seen: ReadonlyMap<string, Seen> } | null = null;
  const folder = (version: string): string => join(dir, version, "workspace");
  const has = (version: string): boolean => VERSION.test(version) && existsSync(join(dir, version));
  const missing = (version: string): MassgenError =>
    new MassgenError("STORE_FAILED", `Version ${version} of the files of "${agent}" is not in ${dir}.`, {
      hint: "The snapshots of this run were removed; its answers can be read in its log.",
    });

  const read = (version: string): SnapshotManifest => {
    if (!has(version)) throw missing(version);
    // We wrote it, whole, into a folder no agent can write to.
    return JSON.parse(readFileSync(join(dir, version, "manifest.json"), "utf8")) as SnapshotManifest;
  };

  return {
    has,
    folder,
    manifest: read,
    async publish(from, pace) {
      const version = `v${String(++last).padStart(4, "0")}`;
      const unfinished = join(dir, `${version}.${newToken()}.tmp`);
      const seen = new Map<string, Seen>();
      try {
        disk.mkdirSync(unfinished, { mode: 0o700 });
        disk.mkdirSync(join(unfinished, "workspace"), { mode: 0o700 });
        const tree = await copyTree(from, join(unfinished, "workspace"), {
          ...options,
          pace,
          modeOf: readOnly,
          ...(latest !== null && { shared: sharedWith(folder(latest.version), latest.seen) }),
          onCopied: (file, stat) => {
            if (file.torn !== true) seen.set(file.path, { stat, file, seenAtNs: BigInt(now()) * 1_000_000n });
          },
        });
        const manifest: SnapshotManifest = { schema: 1, version, createdAt: now(), ...tree };
        const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
        writeNew(disk, join(unfinished, "manifest.json"), 0o400, (write) => write(text));
        disk.renameSync(unfinished, join(dir, version));
        latest = { version, seen };
        return manifest;
      } catch (error) {
        await tryRemoveTree(unfinished, roots, () => undefined);
        throw error;
      }
    },
    async prune(keep, pace) {
      const removed: string[] = [];
      for (const version of versionsIn(dir)) {
        // The newest is what the next one shares its files with.
        if (keep.has(version) || inUse.has(version) || version === latest?.version) continue;
        // Under another name first, so that nobody meets half of it.
        const trash = join(dir, `${version}.${newToken()}.tmp`);
        disk.renameSync(join(dir, version), trash);
        await tryRemoveTree(trash, roots, pace);
        removed.push(version);
      }
      return removed;
    },
    async using(version, work) {
      if (!has(version)) throw missing(version);
      inUse.set(version, (inUse.get(version) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const others = inUse.get(version)! - 1;
        if (others === 0) inUse.delete(version);
        else inUse.set(version, others);
      }
    },
  };
}

/** Removes what a process that died in the middle of a version left. */
export async function openSnapshotDir(dir: string, roots: readonly string[], pace: Pacer): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dir)) if (name.endsWith(".tmp")) await tryRemoveTree(join(dir, name), roots, pace);
}

const versionsIn = (dir: string): readonly string[] => readdirSync(dir).filter((name) => VERSION.test(name));

const readOnly = (mode: number): number => mode & 0o555;

/**
 * A file is unchanged when its system says so, and could say so: a change within the tick in which it was read would have
 * left no mark.
 */
function sharedWith(folder: string, seen: ReadonlyMap<string, Seen>): Shared {
  const byContent = new Map<string, string>();
  for (const { file } of seen.values()) if (file.sha256 !== null) byContent.set(`${file.sha256} ${file.mode}`, join(folder, file.path));
  return {
    unchanged(path, stat) {
      const before = seen.get(path);
      if (before === undefined || !isSame(before.stat, stat)) return null;
      return before.seenAtNs - stat.ctimeNs > tickNs(stat) ? { at: join(folder, path), file: before.file } : null;
    },
    withContent: (sha256, mode) => byContent.get(`${sha256} ${mode}`) ?? null,
  };
}
