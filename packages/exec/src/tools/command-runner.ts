import { existsSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { childEnvironment, type EnvironmentOptions, isInside } from "../env/child-environment.js";
import { defaultLimits, type ProcessLimits } from "../process/gate.js";
import type { SpillPlace, StreamName } from "../process/output.js";
import { enforceable, needsCounting } from "../process/process-ceiling.js";
import { type RunningProcess, startProcess } from "../process/start-process.js";
import { type Sandbox, type SandboxReport, type StandIn, sourceOf, type Walls } from "../sandbox/sandbox.js";

export interface CommandRunnerOptions {
  readonly sandbox: Sandbox;
  /** The agent's own folder: working directory of every command that names no other. */
  readonly workspace: string;
  /** The agent's private home, made when it is missing. */
  readonly home: string;
  /** What commands may touch besides workspace and home; asked before each, since a presenter may write more. */
  grants(): Omit<Walls, "network">;
  readonly network: Walls["network"];
  readonly environment: Omit<EnvironmentOptions, "workspace" | "home" | "workDir">;
  readonly limits?: Partial<ProcessLimits>;
}

export interface CommandRequest {
  /** For `/bin/bash -c`, or `/bin/sh -c` where there is no bash. */
  readonly command: string;
  /** Absolute, or relative to the workspace. */
  readonly workDir: string;
  readonly timeoutMs: number | null;
  readonly signal?: AbortSignal;
  readonly keepBytes?: number;
  readonly spill?: SpillPlace | null;
  onChunk?(stream: StreamName, chunk: Buffer): void;
}

/** Runs the commands of one agent. */
export interface CommandRunner {
  readonly workspace: string;
  /** What is in force, for the start of a run and for `status.json`. */
  readonly report: SandboxReport;
  /** Rejects with a sentence for the model when the command cannot be started. */
  start(request: CommandRequest): Promise<RunningProcess>;
  /** The shell and its arguments, as effects are told and as it is started. */
  argvOf(command: string): readonly string[];
  resolveWorkDir(workDir: string): string;
  /** Resolves when nothing it started is running any more. A cancelled tool call answers before its command has ended. */
  idle(): Promise<void>;
}

/** Neither reads a start file: they are not interactive, and no variable names one. */
const SHELL: readonly string[] = existsSync("/bin/bash") ? ["/bin/bash", "-c"] : ["/bin/sh", "-c"];

/** Both folders must exist on a system with process groups and `/bin/sh`: Linux or macOS. */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const workspace = realpathSync(options.workspace);
  const limits: ProcessLimits = { ...defaultLimits, ...options.limits };
  const argvOf = (command: string): readonly string[] => [...SHELL, command];
  const resolveWorkDir = (workDir: string): string => (workDir.startsWith("/") ? workDir : join(workspace, workDir));
  const unfinished = new Set<Promise<unknown>>();
  return {
    workspace,
    report: options.sandbox.report(options.network),
    argvOf,
    resolveWorkDir,
    async start(request) {
      await mkdir(join(options.home, "tmp"), { recursive: true, mode: 0o700 });
      const home = realpathSync(options.home);
      const walls = realWalls(options, workspace, home);
      const cwd = realWorkDir(resolveWorkDir(request.workDir), walls, options.sandbox);
      const { env } = childEnvironment({ ...options.environment, workspace, home, workDir: cwd });
      const prepared = await options.sandbox.prepare({ argv: argvOf(request.command), cwd, env, limits: enforceable(limits) }, walls);
      const { command, workDir, ...rest } = request;
      const { dispose, ...how } = prepared;
      const running = await startProcess({ ...rest, ...how, maxProcesses: needsCounting() ? limits.processes : null }).catch(
        async (error) => {
          await dispose?.();
          throw error;
        },
      );
      if (dispose !== undefined) void running.ended.then(dispose);
      unfinished.add(running.ended);
      void running.ended.then(() => unfinished.delete(running.ended));
      return running;
    },
    async idle() {
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}

function realWalls(options: CommandRunnerOptions, workspace: string, home: string): Walls {
  const { standIns = [], ...grants } = options.grants();
  if (standIns.length > 0 && options.sandbox.relocates !== true) throw new Error("this sandbox cannot show files under other names");
  // What is to be made is nowhere yet, and file tools make it.
  const there = standIns.filter(({ path, source }) => existsSync(path) && existsSync(source));
  const at = there.map(({ path, source }) => ({ path: realpathSync(path), source: realpathSync(source) }));
  const real = (paths: readonly string[]): readonly string[] => realPaths(paths, at);
  return {
    writable: [workspace, home, ...real(grants.writable)],
    readable: real(grants.readable),
    protected: real(grants.protected),
    hidden: real(grants.hidden),
    network: options.network,
    standIns: at,
  };
}

/** Paths that exist, with their links followed: a mount goes where a path leads. Below a stand-in no name is a link. */
function realPaths(paths: readonly string[], standIns: readonly StandIn[]): readonly string[] {
  return paths.flatMap((path) => {
    if (sourceOf(path, standIns) !== path) return existsSync(sourceOf(path, standIns)) ? [path] : [];
    return existsSync(path) ? [realpathSync(path)] : [];
  });
}

/** The folder as the command knows it: with links followed, and below a stand-in under the name of what it stands for. */
function folderOf(path: string, standIns: readonly StandIn[]): string {
  const source = sourceOf(resolve(path), standIns);
  if (!existsSync(source)) throw new Error(`NOT_FOUND: the working directory ${path} does not exist.`);
  const folder = realpathSync(source);
  const within = standIns.find((one) => isInside(folder, one.source));
  return within === undefined ? folder : within.path + folder.slice(within.source.length);
}

function realWorkDir(path: string, walls: Walls, sandbox: Sandbox): string {
  const folder = folderOf(path, walls.standIns ?? []);
  const isIn = (roots: readonly string[]): boolean => roots.some((root) => isInside(folder, root));
  if (isIn(walls.writable)) return folder;
  if (!isIn(walls.readable)) throw new Error(`PATH_OUTSIDE: commands may not run in ${path}. Use your workspace, ${walls.writable[0]}.`);
  // Without walls nothing would keep a command there from writing.
  if (sandbox.kind === "off") throw new Error(`READ_ONLY: commands may not run in ${path}, which you may only read. Use your workspace.`);
  return folder;
}
