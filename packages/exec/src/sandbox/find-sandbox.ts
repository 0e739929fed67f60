import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";
import { runProcess } from "../process/start-process.js";
import { createBubblewrap } from "./bubblewrap.js";
import type { Sandbox } from "./sandbox.js";
import { createSeatbelt } from "./seatbelt.js";
import { testSandbox } from "./self-test.js";

/** A driver that was tried out on this machine, or why there is none and what would help. */
export type SandboxFinding =
  | { readonly found: true; build(home: string): Sandbox }
  | { readonly found: false; readonly reason: string; readonly remedy: string };

export interface FindSandboxOptions {
  readonly platform: NodeJS.Platform;
  /** The host's `PATH`. */
  readonly path: string;
  readonly hostHome: string;
}

const OFF = "or write `command_line_sandbox: off` to run commands with all your rights";

/** Looks for the OS sandbox of this machine and tries it out. Never throws. */
export async function findSandbox(options: FindSandboxOptions): Promise<SandboxFinding> {
  if (options.platform === "linux") return findBubblewrap(options);
  if (options.platform === "darwin") return findSeatbelt(options);
  return {
    found: false,
    reason: `There is no sandbox for commands on ${options.platform}.`,
    remedy: `Use \`command_line_execution_mode: docker\`, ${OFF}.`,
  };
}

async function findBubblewrap(options: FindSandboxOptions): Promise<SandboxFinding> {
  const program = findProgram("bwrap", options.path);
  if (program === null) {
    return {
      found: false,
      reason: "bubblewrap, the sandbox for commands on Linux, is not installed.",
      remedy: `Install it (apt, dnf, apk or pacman: bubblewrap), use \`command_line_execution_mode: docker\`, ${OFF}.`,
    };
  }
  const version = (await ask(program, "--version")).trim();
  const canDisableNamespaces = (await ask(program, "--help")).includes("--disable-userns");
  const build = (home: string): Sandbox => createBubblewrap({ program, version, canDisableNamespaces, home, hostHome: options.hostHome });
  const test = await testSandbox(build);
  if (test.holds) return { found: true, build };
  return { found: false, reason: `${version || program} does not hold here: ${test.why}.`, remedy: remedyFor(test.why) };
}

async function findSeatbelt(options: FindSandboxOptions): Promise<SandboxFinding> {
  const program = "/usr/bin/sandbox-exec";
  if (!isExecutable(program)) return { found: false, reason: `${program} is missing.`, remedy: `Use docker, ${OFF}.` };
  const build = (home: string): Sandbox => createSeatbelt({ program, home, hostHome: options.hostHome });
  const test = await testSandbox(build);
  if (test.holds) return { found: true, build };
  return { found: false, reason: `macOS's sandbox does not hold here: ${test.why}.`, remedy: `Use docker, ${OFF}.` };
}

/** What bubblewrap says when the kernel or a container forbids it namespaces, turned into what to do. */
function remedyFor(why: string): string {
  if (/mount proc|\/proc/i.test(why))
    return `This looks like a container that hides parts of /proc: start it with --security-opt systempaths=unconfined, ${OFF}.`;
  if (/user namespace|uid map|new namespace|not permitted|permission denied/i.test(why))
    return (
      "The kernel does not let this user make namespaces. Ubuntu 24.04 and later: allow them for bwrap by an AppArmor profile, or " +
      "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; Debian: `sysctl kernel.unprivileged_userns_clone=1`; in a container: " +
      `--security-opt seccomp=unconfined; ${OFF}.`
    );
  return `Use \`command_line_execution_mode: docker\`, ${OFF}.`;
}

/** The first executable of that name on a path; `null` when there is none. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(":")) {
    const candidate = join(folder, name);
    if (isAbsolute(folder) && isExecutable(candidate)) return candidate;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function ask(program: string, option: string): Promise<string> {
  const result = await runProcess({ argv: [program, option], cwd: "/", env: { PATH: "/usr/bin:/bin" }, timeoutMs: 5_000 });
  return result.both.head;
}
