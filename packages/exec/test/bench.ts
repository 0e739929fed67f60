import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CommandRunner,
  type CommandRunnerOptions,
  createCommandRunner,
  createUnsandboxed,
  findSandbox,
  type Sandbox,
  type SandboxFinding,
} from "@massgen/exec";

/** What this machine has; `found: false` tells why tests of the sandbox are skipped. */
export const sandbox: SandboxFinding = await findSandbox({
  platform: process.platform,
  path: process.env["PATH"] ?? "",
  hostHome: homedir(),
});

export interface Bench {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  readonly runner: CommandRunner;
  close(): Promise<void>;
}

type Grants = ReturnType<CommandRunnerOptions["grants"]>;

/** An agent's workspace and home below a temporary folder, and a runner for it. */
export async function openBench(
  options: {
    readonly sandboxed: boolean;
    readonly grants?: (folder: string) => Partial<Grants>;
    readonly more?: Partial<CommandRunnerOptions>;
    readonly hostEnv?: Readonly<Record<string, string>>;
  } = { sandboxed: false },
): Promise<Bench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "exec-bench-")));
  const workspace = join(folder, "ws/agent");
  const home = join(folder, "homes/agent");
  for (const path of [workspace, home]) await mkdir(path, { recursive: true });
  const driver: Sandbox = options.sandboxed && sandbox.found ? sandbox.build(home) : createUnsandboxed();
  const runner = createCommandRunner({
    sandbox: driver,
    workspace,
    home,
    network: "none",
    grants: () => ({ writable: [], readable: [], protected: [], hidden: [], ...options.grants?.(folder) }),
    environment: {
      host: { PATH: process.env["PATH"], ...options.hostEnv },
      hostHome: homedir(),
      runId: "20260101_000000_abcdef",
      portBase: null,
      extra: {},
      passthrough: [],
      autoVenv: true,
    },
    ...options.more,
  });
  return { folder, workspace, home, runner, close: () => rm(folder, { recursive: true, force: true }) };
}

export const hasBash: boolean = existsSync("/bin/bash");
