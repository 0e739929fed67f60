import { join } from "node:path";
import type { CommandsConfig, Environment } from "@massgen/config";
import { type AgentId, MassgenError, type ToolHandler } from "@massgen/contracts";
import {
  type CommandAccess,
  type CommandRunner,
  createCommandRunner,
  createExecuteCommand,
  createJobTable,
  createJobTools,
  findSandbox,
  type JobQuota,
  type JobTable,
  judgeCommandAccess,
  type Sandbox,
  type SandboxFinding,
  type SandboxReport,
} from "@massgen/exec";
import type { ContextPath, Policy } from "@massgen/policy";
import type { AgentWorkspace } from "@massgen/workspace";
import type { Staging } from "../delivery/staging.js";
import type { AllowUnconfined } from "./allow-unconfined.js";
import { runInCopies } from "./run-in-copies.js";
import { NO_WALLS, surveyWalls, type Walls } from "./walls.js";

export interface CommandOptions {
  readonly agent: AgentId;
  readonly commands: CommandsConfig;
  readonly workspace: AgentWorkspace;
  readonly contexts: readonly ContextPath[];
  /** Copies that stand in for context paths while the agent may write them; `null` when there are none. */
  readonly staging: Staging | null;
  /** Folders of earlier turns, only ever read. */
  readonly earlier: readonly string[];
  readonly policies: { readonly working: Policy; readonly presenting: Policy };
  readonly writesAtOnce: boolean;
  readonly access: Extract<CommandAccess, { is: "granted" }>;
  readonly quota: JobQuota;
  readonly portBase: number;
  readonly env: Environment;
  readonly home: string;
  readonly runId: string;
}

/** The commands of one agent. */
export interface AgentCommands {
  readonly tools: readonly ToolHandler[];
  /** One sentence on what confines them. */
  readonly sentence: string;
  /** `bwrap`, `seatbelt`, `docker`, `podman`, or `none`. */
  readonly confinedBy: string;
  /** Resolves when nothing it started runs any more, background jobs apart. */
  idle(): Promise<void>;
  endJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Finding out takes processes, so those who ask for one run, with one environment, share what was found. */
export function lookForSandbox(env: Environment, home: string): Promise<SandboxFinding> {
  const known = findings.get(env);
  if (known !== undefined) return known;
  const finding = findSandbox({ platform: process.platform, path: env["PATH"] ?? "", hostHome: home });
  findings.set(env, finding);
  return finding;
}
const findings = new WeakMap<Environment, Promise<SandboxFinding>>();

/**
 * Whether an agent may run commands here. `null`, with the reason, when there is no sandbox and the config did not say that
 * it goes without.
 *
 * `ask` is for a person: whether commands may run without walls where none can be built.
 *
 * @throws MassgenError `CONFIG_INVALID` where a sandbox is required and there is none
 */
export async function accessFor(
  { sandbox }: CommandsConfig,
  finding: SandboxFinding,
  ask: AllowUnconfined | null,
): Promise<Extract<CommandAccess, { is: "granted" }> | { readonly is: "refused"; readonly reason: string }> {
  const access = judgeCommandAccess(sandbox, finding, { mayAsk: ask !== null });
  if (access.is === "granted") return access;
  if (access.is === "to_be_asked" && access.ifYes.is === "granted" && (await ask?.(access.reason)) === true)
    return { ...access.ifYes, warning: ALLOWED };
  const reason = `${access.reason} ${access.remedy}`;
  if (access.is === "refused" && access.isFatal)
    throw new MassgenError("CONFIG_INVALID", `Commands need a sandbox, and there is none. ${access.reason}`, {
      exitCode: 1,
      hint: access.remedy,
    });
  return { is: "refused", reason: `${reason} Or write command_line_sandbox: off to run them without one.` };
}

const ALLOWED = "Commands run WITHOUT a sandbox, as you allowed: an agent can read, change and send whatever you can.";

export function openCommands(options: CommandOptions): AgentCommands {
  const { commands, workspace, access } = options;
  const sandbox: Sandbox = access.build(workspace.home);
  let walls: Walls = NO_WALLS;
  const runner: CommandRunner = createCommandRunner({
    sandbox,
    workspace: workspace.root,
    home: workspace.home,
    network: "none",
    grants: () => walls,
    environment: {
      host: options.env,
      hostHome: options.home,
      runId: options.runId,
      portBase: options.portBase,
      extra: commands.env,
      passthrough: commands.envPassthrough,
      autoVenv: commands.autoVenv,
    },
  });
  const jobs: JobTable = createJobTable({ runner, quota: options.quota, perAgent: commands.maxBackground });
  const surveys = new Map<string, Promise<Walls>>();
  const isRelocating = sandbox.relocates === true;
  const execute = createExecuteCommand({
    runner,
    jobs,
    timeoutMs: commands.timeoutSeconds * 1000,
    maxTimeoutMs: commands.maxTimeoutSeconds * 1000,
    spillFolder: join(workspace.root, ".tool_results"),
  });

  function wallsOf(stage: "working" | "presenting"): Promise<Walls> {
    const mayWrite = stage === "presenting" || options.writesAtOnce;
    // Every presentation begins with copies of its own.
    const key = `${stage} ${mayWrite ? (options.staging?.presentation() ?? 0) : 0}`;
    const known = surveys.get(key) ?? surveyWalls({ ...options, policy: options.policies[stage], mayWrite, isRelocating });
    surveys.set(key, known);
    known.catch(() => surveys.delete(key));
    return known;
  }
  const guarded: ToolHandler = {
    ...execute,
    async run(input, context) {
      const stage = context.channel === "presentation" ? "presenting" : "working";
      const inCopies = options.staging !== null && !isRelocating && (stage === "presenting" || options.writesAtOnce);
      walls = await wallsOf(stage);
      return inCopies ? runInCopies(execute, input, context, options.staging!.standIns) : execute.run(input, context);
    },
  };
  return {
    tools: [guarded, ...createJobTools(jobs)].map((tool) => ({ ...tool, origin: "builtin" as const })),
    sentence: runner.report.sentence,
    confinedBy: wordFor(runner.report),
    idle: () => runner.idle(),
    endJobs: async () => {
      await jobs.endAll();
    },
    async close() {
      await jobs.endAll();
      await sandbox.close();
    },
  };
}

function wordFor({ kind, program }: SandboxReport): string {
  if (kind === "container") return program?.split(" ")[0] ?? "docker";
  return kind === "bubblewrap" ? "bwrap" : kind === "off" ? "none" : kind;
}
