import type { AgentConfig, CommandsConfig } from "@massgen/config";
import type { AgentId, AnonId } from "@massgen/contracts";
import type { CommandAccess, JobQuota } from "@massgen/exec";
import type { ContextPath, Policy } from "@massgen/policy";
import type { AgentWorkspace } from "@massgen/workspace";
import { type Staging, whenReady } from "../delivery/staging.js";
import type { AgentCommands } from "./commands.js";
import type { OpenDocker } from "./docker.js";
import type { EarlierTurns } from "./earlier-turns.js";
import type { HandsOptions } from "./hands.js";

export interface CommandSetting extends HandsOptions {
  readonly policy: Policy;
  readonly contexts: readonly ContextPath[];
  readonly staging: Staging | null;
  readonly earlier: EarlierTurns;
  readonly folders: ReadonlyMap<AgentId, AgentWorkspace>;
  readonly anonOf: ReadonlyMap<AgentId, AnonId>;
  readonly writesAtOnce: boolean;
}

/** The commands of all agents, open until closed. */
export interface TeamCommands {
  readonly of: ReadonlyMap<AgentId, AgentCommands>;
  readonly notes: readonly string[];
  /** Values given to commands that must be in no log. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

interface Granted {
  readonly id: AgentId;
  readonly commands: CommandsConfig;
  readonly access: Extract<CommandAccess, { is: "granted" }>;
  readonly docker: OpenDocker | null;
}

/**
 * Opens the commands of everybody who may run some, and loads what runs them only then. Who may is decided for all before
 * anything is opened, and what is open is closed when a later one fails.
 *
 * @throws MassgenError `CONFIG_INVALID` for a sandbox or a container that is required and missing
 */
export async function openTeamCommands(agents: readonly AgentConfig[], setting: CommandSetting): Promise<TeamCommands> {
  const commanding = agents.flatMap(({ id, hands }) => (hands?.commands == null ? [] : [{ id, commands: hands.commands }]));
  if (commanding.length === 0) return { of: new Map(), notes: [], secrets: [], close: async () => {} };
  const [{ openCommands }, { createJobQuota }] = await Promise.all([import("./commands.js"), import("@massgen/exec")]);
  const { granted, notes } = await grantAll(commanding, setting);
  const of = new Map<AgentId, AgentCommands>();
  const close = async (): Promise<void> => {
    await Promise.allSettled([...of.values()].map((one) => one.close()));
  };
  const quota: JobQuota = createJobQuota();
  const { policy, contexts, staging, earlier, folders, writesAtOnce, env, home, runId, config } = setting;
  try {
    for (const { id, commands, access, docker } of granted) {
      const allowed = policy.forPresentation(id);
      const opened = openCommands({
        agent: id,
        commands: { ...commands, env: { ...docker?.env, ...commands.env } },
        workspace: folders.get(id)!,
        contexts,
        staging,
        earlier: earlier.readable.map(({ path }) => path),
        policies: { working: policy, presenting: staging === null ? allowed : whenReady(allowed, staging) },
        writesAtOnce,
        access,
        quota,
        portBase: FIRST_PORT + PORTS_EACH * config.agents.findIndex((agent) => agent.id === id),
        env,
        home,
        runId,
      });
      of.set(id, opened);
      notes.push(access.warning ?? opened.sentence);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { of, notes: [...new Set(notes)], secrets: granted.flatMap(({ docker }) => docker?.secrets ?? []), close };
}

/** So that servers of two agents do not meet on one port where they share a network. */
const FIRST_PORT = 42_000;
const PORTS_EACH = 20;

async function grantAll(
  commanding: readonly { readonly id: AgentId; readonly commands: CommandsConfig }[],
  setting: CommandSetting,
): Promise<{ readonly granted: readonly Granted[]; readonly notes: string[] }> {
  const { env, home, folders, anonOf, cwd, runId } = setting;
  const { accessFor, lookForSandbox } = await import("./commands.js");
  const notes: string[] = [];
  const granted: Granted[] = [];
  // One question for all agents.
  let allowed: Promise<boolean> | null = null;
  const { allowUnconfined } = setting;
  const ask = allowUnconfined === undefined ? null : (reason: string) => (allowed ??= allowUnconfined(reason));
  const inContainers = commanding.filter(({ commands }) => commands.docker !== null);
  const finding = inContainers.length === commanding.length ? null : await lookForSandbox(env, home);
  const container = inContainers.length === 0 ? null : await findContainers(env);
  for (const { id, commands } of commanding) {
    if (commands.docker !== null) {
      const { openDocker } = await import("./docker.js");
      const docker = await openDocker(commands.docker, container!, {
        agent: id,
        anon: anonOf.get(id)!,
        workspace: folders.get(id)!,
        env,
        cwd,
        home,
        runId,
      });
      notes.push(...docker.notes);
      granted.push({ id, commands, docker, access: { is: "granted", build: docker.build, warning: null } });
      continue;
    }
    const access = await accessFor(commands, finding!, ask);
    if (access.is === "granted") granted.push({ id, commands, docker: null, access });
    else notes.push(`Agents run no commands: ${access.reason}`);
  }
  return { granted, notes };
}

const findContainers = async (host: HandsOptions["env"]): ReturnType<typeof import("@massgen/exec").findContainerTool> =>
  (await import("@massgen/exec")).findContainerTool({ host });
