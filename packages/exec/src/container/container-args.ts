import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { sourceOf, type Walls } from "../sandbox/sandbox.js";

export type ContainerNetwork = "none" | "bridge" | "host";

/** A host path shown in the container at another place, such as a git configuration in its home. */
export interface ExtraMount {
  readonly source: string;
  readonly target: string;
  readonly mode: "ro" | "rw";
}

export interface ContainerSettings {
  readonly image: string;
  readonly runId: string;
  /** How the agent is called in labels: its anonymous id. */
  readonly agent: string;
  /** Docker's way to write it: `2g`. Swap is not added. */
  readonly memory: string;
  readonly cpus: number;
  readonly processes: number;
  readonly network: ContainerNetwork;
  /** `uid:gid` of the user who started the run, so that files in the workspace stay theirs. `null`: as the image says. */
  readonly user: string | null;
  /** Lets commands become root inside. Needs an image with sudo. */
  readonly sudo: boolean;
  readonly mounts: readonly ExtraMount[];
}

const SUDO_CAPABILITIES: readonly string[] = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETUID", "SETGID"];

/** Arguments of `docker run` for a container that waits for commands. `masked` is an empty file nobody may open. */
export function runArgs(settings: ContainerSettings, name: string, walls: Walls, workspace: string, masked: string): readonly string[] {
  const { memory, cpus, processes, network, user, sudo } = settings;
  return [
    ...["run", "--detach", "--init", "--name", name],
    ...["--label", `massgen.run=${settings.runId}`, "--label", `massgen.agent=${settings.agent}`],
    ...(user === null ? [] : ["--user", user]),
    ...["--cap-drop", "ALL"],
    ...(sudo ? SUDO_CAPABILITIES.flatMap((capability) => ["--cap-add", capability]) : ["--security-opt", "no-new-privileges"]),
    ...["--pids-limit", String(processes), "--memory", memory, "--memory-swap", memory, "--cpus", String(cpus)],
    ...["--network", network, "--ipc", "private", "--tmpfs", "/tmp:size=512m,mode=1777", "--workdir", workspace],
    ...wallArgs(walls, masked),
    ...settings.mounts.flatMap(({ source, target, mode }) => bind(source, target, mode === "ro")),
    ...[settings.image, "tail", "-f", "/dev/null"],
  ];
}

/** Mounts in the order of their depth: Docker sorts them so itself, others need not. */
function wallArgs(walls: Walls, masked: string): readonly string[] {
  const sourceAt = (path: string): string => sourceOf(path, walls.standIns);
  const mounts: { readonly path: string; readonly args: readonly string[] }[] = [
    ...walls.writable.map((path) => ({ path, args: bind(sourceAt(path), path, false) })),
    ...[...walls.readable, ...walls.protected].map((path) => ({ path, args: bind(sourceAt(path), path, true) })),
    ...walls.hidden.map((path) => ({
      path,
      args: lstatSync(sourceAt(path)).isDirectory() ? ["--tmpfs", `${path}:ro,size=4k,mode=0111`] : bind(masked, path, true),
    })),
  ];
  // Of equal paths the last wins; a container cannot mount two things in one place.
  const byPath = new Map(mounts.map((mount) => [mount.path, mount.args]));
  return [...byPath].sort(([a], [b]) => a.split("/").length - b.split("/").length).flatMap(([, args]) => args);
}

function bind(source: string, target: string, isReadOnly: boolean): readonly string[] {
  const refusal = refusedSource(source);
  if (refusal !== null) throw new Error(refusal);
  const fields = ["type=bind", `source=${source}`, `target=${target}`, ...(isReadOnly ? ["readonly"] : [])];
  return ["--mount", fields.map(csvField).join(",")];
}

/** The option is a line of CSV: paths may hold commas. */
const csvField = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** Folders that would give a container the machine. */
const REFUSED: readonly string[] = [
  ...["", "etc", "var", "var/run", "var/lib", "run", "proc", "sys", "dev", "boot", "root", "home", "Users"].map((name) => `/${name}`),
  homedir(),
];

/** Why a path is never mounted into a container; `null` when it may be. */
export function refusedSource(path: string): string | null {
  if (REFUSED.includes(path) || /(^|\/)(docker|podman|containerd)\.sock$/.test(path)) {
    return `${path} is not mounted into a container: it would give it the machine. Name a folder below it.`;
  }
  return null;
}
