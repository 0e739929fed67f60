import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Another program that does what ours does. */
export interface Peer {
  /** Its package at npm. */
  readonly name: string;
  /** Exact, so that a figure says what it was held against. */
  readonly version: string;
  /** The file node runs, from the root of the package. */
  readonly program: string;
}

export type FoundPeer = { readonly program: string } | { readonly missing: string };

const LIMIT_MS = 180_000;

/**
 * The peer's program, or why there is none. Only with `install` is npm asked for it; it goes into a folder of its own that
 * git does not see, and none of its scripts run. What is there already is taken as it is.
 */
export async function findPeer(peer: Peer, options: { readonly install: boolean; readonly root?: string }): Promise<FoundPeer> {
  const { install, root = PEERS } = options;
  const called = `${peer.name} ${peer.version}`;
  const folder = join(root, `${peer.name.replaceAll("/", "+")}@${peer.version}`);
  const program = join(folder, "node_modules", peer.name, peer.program);
  if (existsSync(program)) return { program };
  if (!install) return { missing: `${called} is not installed; \`pnpm bench --peers\` installs it` };
  // Built aside: an install that was cut off is never taken for a whole one.
  const unfinished = `${folder}.unfinished`;
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const spec = `${peer.name}@${peer.version}`;
    const args = [
      "install",
      "--prefix",
      unfinished,
      "--ignore-scripts",
      "--omit=dev",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=0",
      spec,
    ];
    await promisify(execFile)("npm", args, { timeout: LIMIT_MS });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    return { missing: `${called} could not be installed: ${reasonOf(error)}` };
  }
  return existsSync(program) ? { program } : { missing: `${called} has no ${peer.program}` };
}

const PEERS = fileURLToPath(new URL("../../node_modules/.cache/peers/", import.meta.url));

/** npm's own first words on it; it says a page. */
function reasonOf(error: unknown): string {
  const { stderr = "", killed = false, message } = error as Error & { readonly stderr?: string; readonly killed?: boolean };
  if (killed) return `npm was not done after ${LIMIT_MS / 1_000} s`;
  const said = stderr.split("\n").filter((line) => /^npm (error|ERR!)/.test(line));
  const lines = said.map((line) => line.replace(/^npm (error|ERR!) /, "")).filter((line) => !/^(code|errno|syscall) /.test(line));
  return lines[0] ?? message.split("\n")[0]!;
}
