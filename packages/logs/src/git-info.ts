import { execFile } from "node:child_process";

export interface GitInfo {
  readonly commit: string;
  readonly branch: string | null;
  readonly dirty: boolean;
}

const TIMEOUT_MS = 5_000;
/** Where git is, and where its settings are. */
const NEEDED: readonly string[] = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot"];
/** What looking at a repository could run of it: monitors, hooks, and the way to a server that has objects it lacks. */
const INERT: readonly string[] = [
  "--no-optional-locks",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"].flatMap((setting) => ["-c", setting]),
];
/** Git answers 1 when nothing matches. */
const NOTHING_FOUND = 1;

/**
 * Commit, branch and whether tracked files are changed; `null` outside a repository, without git, or when it takes too long.
 *
 * Looking at a repository changes nothing in it and runs no program it names. Its filters are not run either: a file kept
 * through one (Git LFS) whose times differ from those git noted counts as changed.
 */
export async function gitInfo(cwd: string, host: Readonly<Record<string, string | undefined>> = process.env): Promise<GitInfo | null> {
  // Without keys: a program that only looks needs none.
  const env = Object.fromEntries(NEEDED.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]])));
  const names = await git(cwd, ["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\.`], env);
  if (names === null) return null;
  // Submodules are repositories with settings of their own.
  const status = ["status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=dirty"];
  const output = await git(cwd, status, { ...env, ...settings(withoutFilters(names)) });
  return output === null ? null : parseStatus(output);
}

/** How long what was found counts for runs that begin meanwhile. */
const FRESH_MS = 2_000;
const looked = new Map<string, { readonly atMs: number; readonly found: Promise<GitInfo | null> }>();

/** The same for runs that begin together: a server starts many in a second, and starting git costs more than the rest of a run. */
export function recentGitInfo(cwd: string, look: (cwd: string) => Promise<GitInfo | null> = gitInfo): Promise<GitInfo | null> {
  const nowMs = performance.now();
  const known = looked.get(cwd);
  if (known !== undefined && nowMs - known.atMs < FRESH_MS) return known.found;
  for (const [folder, { atMs }] of looked) if (nowMs - atMs >= FRESH_MS) looked.delete(folder);
  const found = look(cwd);
  looked.set(cwd, { atMs: nowMs, found });
  return found;
}

function git(cwd: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 16 << 20, windowsHide: true };
    execFile("git", [...INERT, ...args], options, (error, stdout) =>
      resolve(error === null || error.code === NOTHING_FOUND ? stdout : null),
    );
  });
}

/** A filter whose command is empty leaves files as they are. */
function withoutFilters(names: string): readonly (readonly [string, string])[] {
  const filters = new Set(names.split("\0").flatMap((name) => /^filter\.(.*)\.[^.]+$/s.exec(name)?.[1] ?? []));
  return [...filters].flatMap(
    (filter) =>
      [
        [`filter.${filter}.clean`, ""],
        [`filter.${filter}.process`, ""],
        [`filter.${filter}.required`, "false"],
      ] as const,
  );
}

/** Settings for git that take any name, `=` included. */
const settings = (all: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(all.length)],
    ...all.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);

export function parseStatus(output: string): GitInfo | null {
  const lines = output.split("\n").filter((line) => line !== "");
  const header = (name: string): string | null => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? null;
  const commit = header("branch.oid");
  const branch = header("branch.head");
  if (commit === null || commit === "(initial)") return null;
  return { commit, branch: branch === "(detached)" ? null : branch, dirty: lines.some((line) => !line.startsWith("#")) };
}
