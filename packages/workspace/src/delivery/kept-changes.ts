import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { isAbsent, nodeDisk } from "../disk.js";
import { newToken } from "../run/layout.js";
import { writeWhole } from "../run/run-record.js";
import type { Skipped } from "../tree/manifest.js";
import type { FileIdentity } from "../tree/read-file.js";
import { aboutFiles, type Cancellable } from "../workspace.js";
import { type Expected, surpriseFor } from "./apply-change.js";
import { type ApplyReport, type Bringable, bringChanges, type MayBring } from "./bring-changes.js";
import { isBrought } from "./is-brought.js";

/** Changes that wait for a decision, on the disk with all they need: they outlive the run and its copies. */
export interface KeptChanges {
  /** Holds `changes.json` and, numbered, the new contents. */
  readonly folder: string;
  /** What runs later first. */
  readonly changes: readonly FileChange[];
  /** Those of them that `mayWrite` forbids, by `path`: they are never brought. */
  readonly refused: ReadonlySet<string>;
  /** What stands in the copies and cannot be brought. Absolute. */
  readonly skipped: readonly Skipped[];
  /** Somebody is to be asked before any of them is brought. */
  readonly askFirst: boolean;
}

/** As `Expected`, in JSON. */
type KeptExpected =
  | Exclude<Expected, { is: "file" }>
  | { readonly is: "file"; readonly stat: { readonly [name in keyof FileIdentity]: string }; readonly sha256: string | null };

interface KeptChange {
  readonly change: FileChange;
  readonly sourceRoot: string;
  /** Folder of the new content below the folder of all. */
  readonly place: string;
  readonly isRefused: boolean;
  readonly expected: KeptExpected;
  readonly goneFolders: readonly string[];
}

interface KeptFile {
  readonly schema: 1;
  readonly changes: readonly KeptChange[];
  readonly skipped: readonly Skipped[];
  readonly askFirst: boolean;
}

const FILE = "changes.json";

/** Writes changes to `folder`, which gets its name when all is in it and replaces what had it. */
export function keepChanges(
  folder: string,
  all: readonly Omit<Bringable, "keep">[],
  { skipped, mayBring, askFirst }: { readonly skipped: readonly Skipped[]; readonly mayBring: MayBring; readonly askFirst: boolean },
): Promise<KeptChanges> {
  return aboutFiles("The presenter's changes could not be kept", folder, async () => {
    const next = `${folder}.${newToken()}.tmp`;
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    try {
      mkdirSync(next, { mode: 0o700 });
      const roots = [...new Set(all.map(({ sourceRoot }) => sourceRoot))];
      const changes: KeptChange[] = [];
      for (const { change, sourceRoot, stagedRoot, expected, goneFolders } of all) {
        const place = String(roots.indexOf(sourceRoot) + 1);
        if (change.kind !== "deleted") copyContent(change, stagedRoot, join(next, place));
        const isRefused = !(await mayBring(change));
        changes.push({ change, sourceRoot, place, isRefused, expected: toJson(expected), goneFolders });
      }
      writeWhole(join(next, FILE), `${JSON.stringify({ schema: 1, changes, skipped, askFirst } satisfies KeptFile)}\n`);
      rmSync(folder, { recursive: true, force: true });
      renameSync(next, folder);
      return asKept(folder, { schema: 1, changes, skipped, askFirst });
    } catch (error) {
      rmSync(next, { recursive: true, force: true });
      throw error;
    }
  });
}

/** `null` when nothing waits there. @throws MassgenError `STORE_FAILED` when what is there cannot be read */
export function readKeptChanges(folder: string): KeptChanges | null {
  const file = read(folder);
  return file === null ? null : asKept(folder, file);
}

const asKept = (folder: string, { changes, skipped, askFirst }: KeptFile): KeptChanges => ({
  folder,
  changes: changes.map(({ change }) => change),
  refused: new Set(changes.filter(({ isRefused }) => isRefused).map(({ change }) => change.path)),
  skipped,
  askFirst,
});

/**
 * Brings kept changes to their places. What was brought before, by a run that died over it, counts as brought. Of a conflict
 * `keptAt` is the file in the folder.
 */
export async function applyKeptChanges(
  folder: string,
  { only, signal }: Cancellable & { readonly only?: ReadonlySet<string> } = {},
): Promise<ApplyReport> {
  const file = read(folder);
  if (file === null) return { applied: [], conflicts: [], refused: [], skipped: [] };
  const wanted = file.changes.filter(({ change }) => only?.has(change.path) ?? true);
  const isThere = ({ change, sourceRoot, place, isRefused }: KeptChange): boolean =>
    !isRefused && isBrought(change, sourceRoot, join(folder, place));
  const { refused } = asKept(folder, file);
  const brought = wanted.filter(isThere);
  const bringable = wanted
    .filter((one) => !brought.includes(one))
    .map(({ change, sourceRoot, place, expected, goneFolders }): Bringable => {
      const stagedRoot = join(folder, place);
      return { change, sourceRoot, stagedRoot, expected: fromJson(expected), goneFolders, keep: () => join(stagedRoot, change.name) };
    });
  const report = await bringChanges(bringable, { disk: nodeDisk, signal, mayBring: ({ path }) => !refused.has(path) });
  return { ...report, applied: [...brought.map(({ change }) => change), ...report.applied], skipped: file.skipped };
}

/** Which kept changes could not be brought now, by `path`, and why. Nothing is touched. */
export function conflictsOfKept(folder: string): ReadonlyMap<string, string> {
  const conflicts = new Map<string, string>();
  for (const { change, sourceRoot, place, isRefused, expected } of read(folder)?.changes ?? []) {
    if (isRefused || isBrought(change, sourceRoot, join(folder, place))) continue;
    const reason = surpriseFor(change, fromJson(expected), sourceRoot);
    if (reason !== null) conflicts.set(change.path, reason);
  }
  return conflicts;
}

/** Removes the contents of changes that were brought, `null` for all; the folder too when none is left. */
export function forgetChanges(folder: string, brought: ReadonlySet<string> | null): void {
  const file = read(folder);
  if (file === null) return;
  const left = brought === null ? [] : file.changes.filter(({ change }) => !brought.has(change.path));
  if (left.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  for (const { change, place } of file.changes)
    if (brought?.has(change.path) === true) rmSync(join(folder, place, change.name), { force: true });
  writeWhole(join(folder, FILE), `${JSON.stringify({ ...file, changes: left })}\n`);
}

function copyContent({ name, linkTo }: FileChange, from: string, to: string): void {
  const target = join(to, name);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  if (linkTo !== null) symlinkSync(linkTo, target);
  else nodeDisk.copyFileSync(join(from, name), target);
}

function read(folder: string): KeptFile | null {
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return null;
  try {
    // We wrote it, whole, where no agent can write.
    return JSON.parse(readFileSync(join(folder, FILE), "utf8")) as KeptFile;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new MassgenError("STORE_FAILED", `The changes kept in ${folder} cannot be read.`, {
      cause: error,
      hint: "The files are in it, numbered by context path: compare them and copy what you want.",
    });
  }
}

function toJson(expected: Expected): KeptExpected {
  if (expected.is !== "file") return expected;
  const { ino, dev, size, ctimeNs, mtimeNs } = expected.stat;
  const stat = { ino: `${ino}`, dev: `${dev}`, size: `${size}`, ctimeNs: `${ctimeNs}`, mtimeNs: `${mtimeNs}` };
  return { is: "file", stat, sha256: expected.sha256 };
}

function fromJson(kept: KeptExpected): Expected {
  if (kept.is !== "file") return kept;
  const { ino, dev, size, ctimeNs, mtimeNs } = kept.stat;
  const stat = { ino: BigInt(ino), dev: BigInt(dev), size: BigInt(size), ctimeNs: BigInt(ctimeNs), mtimeNs: BigInt(mtimeNs) };
  return { is: "file", stat, sha256: kept.sha256 };
}
