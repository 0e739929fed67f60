import { execFile, spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TreeManifest } from "../tree/manifest.js";

/** The versions of one agent as commits of a repository that no agent can reach. */
export interface History {
  /** Adds a commit of a tree that does not change meanwhile. */
  commit(message: string, folder: string, tree: Pick<TreeManifest, "files" | "links">): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const BRANCH = "refs/heads/main";
const AUTHOR = "MassGen <massgen@localhost>";
const NULL_DEVICE = process.platform === "win32" ? "NUL" : "/dev/null";

/** Where git is. No settings of the user, no hooks, no questions: nothing of what they name is run, and nothing signs. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(["PATH", "SystemRoot"].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: NULL_DEVICE,
  GIT_TERMINAL_PROMPT: "0",
});
const INERT: readonly string[] = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"];

/**
 * Opens the repository at `dir`, and makes it when there is none. Files are handed to git by name and content, so that
 * neither their attributes nor repositories among them have an effect.
 *
 * @throws Error when git is not there or refuses
 */
export async function openHistory(dir: string, now: () => number): Promise<{ readonly history: History; readonly isNew: boolean }> {
  await new Promise<void>((resolve, reject) => {
    const args = [...INERT, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", dir];
    execFile("git", args, { env: environment(), timeout: TIMEOUT_MS, windowsHide: true }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return {
    isNew: !existsSync(join(dir, BRANCH)),
    history: { commit: (message, folder, tree) => addCommit(dir, { message, folder, tree, seconds: Math.floor(now() / 1000) }) },
  };
}

interface Commit {
  readonly message: string;
  readonly folder: string;
  readonly tree: Pick<TreeManifest, "files" | "links">;
  readonly seconds: number;
}

async function addCommit(dir: string, commit: Commit): Promise<void> {
  const parent = existsSync(join(dir, BRANCH)) ? `from ${BRANCH}^0\n` : "";
  const child = spawn("git", [...INERT, `--git-dir=${dir}`, "fast-import", "--quiet", "--date-format=raw"], {
    env: environment(),
    stdio: ["pipe", "ignore", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, 2_000);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(complaint.trim().split("\n")[0] || "git ended early"))));
  });
  // A git that ends early says why by its end; that its pipe is closed says nothing more.
  const sent = pipeline(Readable.from(streamOf(commit, parent), { objectMode: false }), child.stdin).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || error.code === "ERR_STREAM_PREMATURE_CLOSE") return;
      child.kill("SIGKILL");
      throw error;
    },
  );
  const [why] = (await Promise.allSettled([sent, ended])).filter((one) => one.status === "rejected");
  if (why !== undefined) throw why.reason;
}

/** A commit as git's fast-import reads it. */
async function* streamOf({ message, folder, tree, seconds }: Commit, parent: string): AsyncGenerator<string | Buffer> {
  yield `commit ${BRANCH}\ncommitter ${AUTHOR} ${seconds} +0000\n${sized(message)}${parent}deleteall\n`;
  for (const { path, size, mode } of tree.files) {
    if (isOfGit(path)) continue;
    yield `M ${(mode & 0o111) === 0 ? "100644" : "100755"} inline ${quoted(path)}\ndata ${size}\n`;
    if (size > 0) yield* createReadStream(join(folder, path)) as AsyncIterable<Buffer>;
    yield "\n";
  }
  for (const { path, target } of tree.links) if (!isOfGit(path)) yield `M 120000 inline ${quoted(path)}\n${sized(target)}`;
}

const sized = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Git keeps no repository inside of one. */
const isOfGit = (path: string): boolean => path.split("/").some((part) => part.toLowerCase() === ".git");

const quoted = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
