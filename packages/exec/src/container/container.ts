import { randomBytes } from "node:crypto";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { limited } from "../process/gate.js";
import { unwatchContainer, watchContainer } from "../process/watchdog.js";
import type { PreparedCommand, Sandbox, SandboxedCommand, Walls } from "../sandbox/sandbox.js";
import { type ContainerSettings, runArgs } from "./container-args.js";
import { type ContainerTool, pullImage, useTool } from "./ready-image.js";

export interface ContainerOptions extends ContainerSettings, ContainerTool {
  readonly workspace: string;
  /** The private home of the commands. */
  readonly home: string;
  /** Default `missing`. */
  readonly pull?: "missing" | "never" | "always";
}

const CREATE_MS = 60_000;
/** How long a container has to end a command before it is restarted. */
const END_MS = 5_000;

/** Tells its own pid to a file and becomes the command: what ends it later reads the pid there. */
const ENTER = `echo $$ > "$1"; shift; exec "$@"`;

/** By group, then by mark, so that what left the group is found too. $1: file, $2: signal, $3: mark. */
const END = `kill -"$2" -- "-$(cat "$1")"; for f in $(grep -lsaF -- "$3" /proc/[0-9]*/environ); do p=\${f#/proc/}; kill -"$2" "\${p%/environ}"; done; [ "$2" = KILL ] && rm -f "$1"; true`;

/**
 * Commands of one agent in one container, made with the first command and made anew when the walls change. Removed by
 * `close`, and by the watchdog when this process dies.
 */
export function createContainer(options: ContainerOptions): Sandbox {
  const masked = join(dirname(options.home), ".masked");
  let current: { readonly name: string; readonly walls: string } | null = null;
  let opening: Promise<unknown> = Promise.resolve();

  const tool = (args: readonly string[], timeoutMs: number): Promise<string> => useTool(options, args, timeoutMs);

  const discard = async (): Promise<void> => {
    if (current === null) return;
    const { name } = current;
    current = null;
    await tool(["rm", "--force", name], CREATE_MS).catch(() => {});
    unwatchContainer(name);
  };

  const open = async (walls: Walls): Promise<string> => {
    const key = JSON.stringify(walls);
    if (current?.walls === key) return current.name;
    await discard();
    await pullImage({ ...options, pull: options.pull ?? "missing" });
    await writeFile(masked, "", { flag: "a" }).catch(() => {});
    await chmod(masked, 0o000);
    const name = `massgen-${options.runId}-${randomBytes(4).toString("hex")}`;
    await watchContainer(name, options.tool);
    current = { name, walls: key };
    await tool(runArgs(options, name, walls, options.workspace, masked), CREATE_MS);
    return name;
  };

  const end = async (name: string, pidFile: string, mark: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    const args = ["exec", name, "/bin/sh", "-c", END, "massgen-end", pidFile, signal.slice(3), mark];
    await tool(args, END_MS).catch(() => tool(["restart", "--time", "0", name], CREATE_MS));
  };

  return {
    kind: "container",
    relocates: true,
    report: () => ({
      kind: "container",
      program: options.version,
      writes: "confined",
      reads: "confined",
      network: options.network === "none" ? "none" : "host",
      processes: "held",
      sentence: `Commands run in a container of ${options.image} (${options.version}); network ${options.network === "none" ? "off" : options.network}.`,
    }),
    async prepare(command, walls) {
      // One at a time, so that two first commands do not make two containers.
      const turn = opening.then(() => open(walls));
      opening = turn.catch(() => {});
      const name = await turn;
      return enter(command, name, end, options);
    },
    async close() {
      await opening;
      await discard();
    },
  };
}

async function enter(
  command: SandboxedCommand,
  name: string,
  end: (name: string, pidFile: string, mark: string, signal: "SIGTERM" | "SIGKILL") => Promise<void>,
  options: ContainerOptions,
): Promise<PreparedCommand> {
  const id = randomBytes(6).toString("hex");
  const mark = `MASSGEN_COMMAND=${id}`;
  const pidFile = `/tmp/.massgen-${id}`;
  // Values travel in a file: arguments can be read by everybody on the machine.
  const envFile = join(dirname(options.home), `.env-${id}`);
  await mkdir(dirname(envFile), { recursive: true, mode: 0o700 });
  const { PATH: _hostPath, ...env } = command.env;
  const lines = Object.entries(env).filter(([, value]) => !value.includes("\n"));
  await writeFile(envFile, [...lines.map(([key, value]) => `${key}=${value}`), mark, ""].join("\n"), { mode: 0o600, flag: "wx" });
  const inside = limited(command.argv, { ...command.limits, processes: null });
  return {
    argv: [
      options.tool,
      "exec",
      "--workdir",
      command.cwd,
      "--env-file",
      envFile,
      name,
      "/bin/sh",
      "-c",
      ENTER,
      "massgen-enter",
      pidFile,
      ...inside,
    ],
    cwd: "/",
    env: options.toolEnv,
    holdsItsTree: true,
    endElsewhere: (signal) => end(name, pidFile, mark, signal),
    dispose: () => rm(envFile, { force: true }),
  };
}
