import { execFile } from "node:child_process";

export interface GitInfo {
  readonly commit: string;
  readonly branch: string | null;
  readonly dirty: boolean;
}

const TIMEOUT_MS = 5_000;
/** Where git is, and where its settings are. */
const NEEDED: readonly string[] = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot"];

/** Commit, branch and whether tracked files are changed; `null` outside a repository, without git, or when it takes too long. */
export function gitInfo(cwd: string, host: Readonly<Record<string, string | undefined>> = process.env): Promise<GitInfo | null> {
  // Without locks and file monitors: looking at a repository must neither change it nor start anything of it.
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "--untracked-files=no"];
  // Without keys: a program that only looks needs none.
  const env = Object.fromEntries(NEEDED.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]])));
  return new Promise((resolve) => {
    execFile("git", args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 16 << 20, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? parseStatus(stdout) : null),
    );
  });
}

export function parseStatus(output: string): GitInfo | null {
  const lines = output.split("\n").filter((line) => line !== "");
  const header = (name: string): string | null => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? null;
  const commit = header("branch.oid");
  const branch = header("branch.head");
  if (commit === null || commit === "(initial)") return null;
  return { commit, branch: branch === "(detached)" ? null : branch, dirty: lines.some((line) => !line.startsWith("#")) };
}
