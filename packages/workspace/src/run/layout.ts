import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize, resolve, sep } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { codeOf } from "../disk.js";

/** Where a run keeps its files; all absolute, with no link in them. */
export interface Layout {
  /** `.massgen`. */
  readonly base: string;
  readonly workspaces: string;
  readonly snapshots: string;
  readonly views: string;
  readonly homes: string;
  readonly stages: string;
  readonly runs: string;
}

export interface LayoutOptions {
  readonly baseDir: string;
  /** Default `snapshots`; relative names, also those that start with `.massgen/`, stand below `baseDir`. */
  readonly snapshotDir?: string | undefined;
  /** Default `temp_workspaces`. */
  readonly viewDir?: string | undefined;
}

export function openLayout({ baseDir, snapshotDir = "snapshots", viewDir = "temp_workspaces" }: LayoutOptions): Layout {
  if (makeFolder(baseDir)) writeFileSync(join(baseDir, ".gitignore"), "*\n");
  // The folder itself may be a link, to a larger disk; nothing we make in it is.
  const base = realpathSync(baseDir);
  const below = (name: string): string => realFolder(isAbsolute(name) ? name : join(base, belowBase(name)));
  return {
    base,
    workspaces: below("workspaces"),
    snapshots: below(snapshotDir),
    views: below(viewDir),
    homes: below("home"),
    stages: below("staged"),
    runs: below("runs"),
  };
}

/** Where the workspace of an agent is: `given` by the user and used as it is, or made by us under a name of its own. */
export interface WorkspacePlace {
  readonly root: string;
  readonly isGiven: boolean;
}

export const newToken = (): string => randomBytes(4).toString("hex");

export function placeWorkspace(layout: Layout, cwd: string, token: string): WorkspacePlace {
  const path = cwd === "~" || cwd.startsWith("~/") ? join(homedir(), cwd.slice(1)) : cwd;
  if (isAbsolute(path)) return { root: resolve(path), isGiven: true };
  const inBase = /^\.massgen[/\\]/.test(path);
  return { root: `${join(inBase ? layout.base : layout.workspaces, belowBase(path))}_${token}`, isGiven: false };
}

/** `.massgen/x` and `x` without what could lead out. */
function belowBase(name: string): string {
  const path = normalize(name.replace(/^\.massgen[/\\]/, "")).replace(/[/\\]+$/, "");
  if (path === "" || path === "." || path === ".." || path.startsWith(`..${sep}`))
    throw new MassgenError("CONFIG_INVALID", `"${name}" is no name for a folder below .massgen.`, {
      hint: "Give a name without .., or an absolute path.",
      exitCode: 1,
    });
  return path;
}

/** `true` when it was not there. */
function makeFolder(path: string): boolean {
  return mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
}

function realFolder(path: string): string {
  makeFolder(path);
  const real = realpathSync(path);
  if (lstatSync(path).isSymbolicLink()) throw aLink(path);
  return real;
}

/** Makes a folder that must not be there yet, and the folders above it up to `top`; none of them may be a link. */
export function makeNewFolder(path: string, top: string): void {
  const steps = path.slice(top.length).split(sep).filter(Boolean);
  let current = top;
  for (const [place, step] of steps.entries()) {
    current = join(current, step);
    try {
      mkdirSync(current, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || place === steps.length - 1) throw error;
      if (!lstatSync(current).isDirectory()) throw aLink(current);
    }
  }
}

const aLink = (path: string): MassgenError =>
  new MassgenError("PATH_DENIED", `${path} is a link, and no folder of ours may be one.`, {
    hint: "Remove the link. The folder .massgen itself may be a link to another disk.",
  });
