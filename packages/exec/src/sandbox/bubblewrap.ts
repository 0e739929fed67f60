import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { limited } from "../process/gate.js";
import { findToolchains, type Mount, planMounts } from "./plan-mounts.js";
import type { Sandbox, SandboxedCommand, Walls } from "./sandbox.js";

export interface BubblewrapOptions {
  /** Absolute path of `bwrap`. */
  readonly program: string;
  /** As it prints it: `bubblewrap 0.8.0`. */
  readonly version: string;
  /** Whether it can forbid the command to make namespaces of its own (0.8.0 and later). */
  readonly canDisableNamespaces: boolean;
  /** The private home of the commands; its `tmp` becomes their `/tmp`. */
  readonly home: string;
  /** The host user's home: toolchains below it that are on the path stay readable. */
  readonly hostHome: string;
}

/** Linux: namespaces for files, processes, network, users and the rest, and no way to gain a privilege. */
export function createBubblewrap(options: BubblewrapOptions): Sandbox {
  const tmp = join(options.home, "tmp");
  const masked = join(dirname(options.home), ".masked");
  return {
    kind: "bubblewrap",
    relocates: true,
    report: (network) => ({
      kind: "bubblewrap",
      program: options.version,
      writes: "confined",
      reads: "confined",
      network,
      processes: "held",
      sentence: `Commands run in a sandbox (${options.version}): they write only where the agent may, and see no other files; network ${network === "none" ? "off" : "on"}.`,
    }),
    async prepare(command, walls) {
      await mkdir(tmp, { recursive: true, mode: 0o700 });
      await makeUnreadable(masked);
      const mounts = planMounts(walls, { toolchains: findToolchains(command.env["PATH"] ?? "", options.hostHome), tmp });
      return { argv: bubblewrapArgv(options, command, walls, mounts, masked), cwd: "/", env: command.env, holdsItsTree: true };
    },
    async close() {},
  };
}

function bubblewrapArgv(
  options: BubblewrapOptions,
  command: SandboxedCommand,
  walls: Walls,
  mounts: readonly Mount[],
  masked: string,
): readonly string[] {
  const masks = mounts.filter((mount) => mount.kind === "masked_folder").map((mount) => mount.path);
  return [
    options.program,
    "--unshare-all",
    "--unshare-user",
    ...(options.canDisableNamespaces ? ["--disable-userns"] : []),
    ...(walls.network === "host" ? ["--share-net"] : []),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--hostname",
    "sandbox",
    ...mounts.flatMap((mount) => mountArgs(mount, masked)),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    // For a host that is root the kernel's switches below /proc/sys would be writable: no capability guards them.
    "--remount-ro",
    "/proc",
    // Last, because what is mounted below needs its mount point made first.
    ...masks.flatMap((path) => ["--remount-ro", path]),
    "--remount-ro",
    "/",
    "--chdir",
    command.cwd,
    "--",
    ...limited(command.argv, command.limits),
  ];
}

function mountArgs(mount: Mount, masked: string): readonly string[] {
  switch (mount.kind) {
    case "read_only":
      return ["--ro-bind", mount.source, mount.path];
    case "writable":
      return ["--bind", mount.source, mount.path];
    case "link":
      return ["--symlink", mount.target, mount.path];
    case "masked_file":
      return ["--ro-bind", masked, mount.path];
    case "masked_folder":
      // Passable, because a folder below may be granted; not to be listed.
      return ["--perms", "0111", "--tmpfs", mount.path];
  }
}

/** An empty file nobody may open, to lay over secrets. */
async function makeUnreadable(path: string): Promise<void> {
  await writeFile(path, "", { flag: "a", mode: 0o000 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES") throw error;
  });
  await chmod(path, 0o000);
}
