import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DockerConfig, Environment } from "@massgen/config";
import { parseEnvFile } from "@massgen/config/node";
import { type AgentId, MassgenError } from "@massgen/contracts";
import {
  type ContainerFinding,
  createContainer,
  type ExtraMount,
  isSecretName,
  readyImage,
  refusedSource,
  type Sandbox,
} from "@massgen/exec";
import type { AgentWorkspace } from "@massgen/workspace";

export interface DockerPlaces {
  readonly agent: AgentId;
  /** How it is called in labels. */
  readonly anon: string;
  readonly workspace: Pick<AgentWorkspace, "root" | "home">;
  readonly env: Environment;
  /** What relative paths start from. */
  readonly cwd: string;
  /** The user's home. */
  readonly home: string;
  readonly runId: string;
}

export interface OpenDocker {
  build(home: string): Sandbox;
  /** What its commands see besides their own variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Values that must be in no log. */
  readonly secrets: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Makes the container of an agent possible: the daemon answers, the image is there with its packages, what it is given
 * exists. The container itself is made with the first command.
 *
 * @throws MassgenError `CONFIG_INVALID` saying what is missing and what to do; nothing is run on this machine instead
 */
export async function openDocker(docker: DockerConfig, finding: ContainerFinding, places: DockerPlaces): Promise<OpenDocker> {
  const { agent, anon, workspace, runId } = places;
  if (!finding.found) throw refuse(agent, finding.reason, finding.remedy);
  const { tool, version, toolEnv } = finding;
  const { image: named, memory, cpus, network, sudo, pull, preinstall } = docker;
  const { mounts, notes } = mountsOf(docker, places);
  const given = await variablesOf(docker, places);
  const image = await readyImage({ tool, version, toolEnv, image: named, pull, preinstall }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refuse(agent, why, "Name an image of yours in command_line_docker_image, or pull it by hand to see what is wrong.", cause);
  });
  const settings = { tool, version, toolEnv, image, pull: "never", memory, cpus, processes: 512, network, sudo, mounts } as const;
  const user = process.getuid === undefined ? null : `${process.getuid()}:${process.getgid?.() ?? 0}`;
  return {
    build: (home) => createContainer({ ...settings, runId, agent: anon, user, workspace: realpathSync(workspace.root), home }),
    env: given.env,
    secrets: given.secrets,
    notes: [
      ...notes,
      ...given.notes,
      ...(sudo ? [`Commands of ${agent} may become root in their container (command_line_docker_enable_sudo).`] : []),
    ],
  };
}

/** Where what a kind names stands, below the user's home and below that of the commands. */
const KINDS: Readonly<Record<DockerConfig["credentials"]["kinds"][number], string>> = {
  ssh_keys: ".ssh",
  git_config: ".gitconfig",
  gh_config: ".config/gh",
  npm_config: ".npmrc",
  pypi_config: ".pypirc",
};

function mountsOf(
  { credentials }: DockerConfig,
  { agent, workspace, cwd, home }: DockerPlaces,
): { readonly mounts: readonly ExtraMount[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const mounts: ExtraMount[] = [];
  for (const kind of credentials.kinds) {
    const source = join(home, KINDS[kind]);
    if (existsSync(source)) mounts.push({ source: realpathSync(source), target: join(workspace.home, KINDS[kind]), mode: "ro" });
    else notes.push(`Commands of ${agent} have no ${kind}: there is no ~/${KINDS[kind]}.`);
  }
  for (const { source: written, target, mode } of credentials.mounts) {
    const source = written.startsWith("~/") ? join(home, written.slice(1)) : resolve(cwd, written);
    if (!existsSync(source)) throw refuse(agent, `The mount ${written} does not exist.`, "Correct additional_mounts.");
    const refusal = refusedSource(realpathSync(source));
    if (refusal !== null) throw refuse(agent, refusal, "Correct additional_mounts.");
    mounts.push({ source: realpathSync(source), target, mode });
  }
  return { mounts, notes };
}

async function variablesOf({ credentials }: DockerConfig, places: DockerPlaces): Promise<Omit<OpenDocker, "build">> {
  const { agent, env: host } = places;
  const named = new Map(await fromEnvFile(credentials, places));
  const notes: string[] = [];
  for (const name of credentials.envNames) {
    const value = host[name];
    if (value === undefined) notes.push(`Commands of ${agent} have no ${name}: it is not set.`);
    else named.set(name, value);
  }
  const all = credentials.allEnv ? Object.entries(host).filter(([name]) => !isSecretName(name) && !OWN.has(name)) : [];
  const env = Object.fromEntries([...all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])), ...named]);
  return { env, secrets: [...named].flatMap(([name, value]) => (isSecretName(name) ? [value] : [])), notes };
}

/** The container has its own. */
const OWN: ReadonlySet<string> = new Set(["PATH", "HOME", "TMPDIR"]);

async function fromEnvFile(
  { envFile, envFileNames }: DockerConfig["credentials"],
  { agent, cwd, home }: DockerPlaces,
): Promise<readonly (readonly [name: string, value: string])[]> {
  if (envFile === null) return [];
  const path = envFile.startsWith("~/") ? join(home, envFile.slice(1)) : resolve(cwd, envFile);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) throw refuse(agent, `The env_file ${envFile} cannot be read.`, "Correct command_line_docker_credentials.env_file.");
  return [...parseEnvFile(text).values].filter(([name]) => envFileNames.length === 0 || envFileNames.includes(name));
}

const refuse = (agent: AgentId, why: string, hint: string, cause?: unknown): MassgenError =>
  new MassgenError("CONFIG_INVALID", `Agent ${JSON.stringify(agent)} cannot run its commands in a container. ${why}`, {
    exitCode: 1,
    hint,
    cause,
  });
