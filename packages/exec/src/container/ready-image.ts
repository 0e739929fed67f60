import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../process/start-process.js";

/** A program that behaves like `docker`. */
export interface ContainerTool {
  /** Absolute path. */
  readonly tool: string;
  /** `docker 28.2.2`. */
  readonly version: string;
  /** Environment of the tool itself, never of a command: where its daemon and its settings are. */
  readonly toolEnv: Readonly<Record<string, string>>;
}

export interface Preinstall {
  readonly python: readonly string[];
  readonly npm: readonly string[];
  /** Of the distribution, by apt-get. */
  readonly system: readonly string[];
}

export interface ReadyImageOptions extends ContainerTool {
  readonly image: string;
  readonly pull: "missing" | "never" | "always";
  readonly preinstall: Preinstall;
}

const ASK_MS = 60_000;
const PULL_MS = 600_000;
const INSTALL_MS = 600_000;

/** Runs the tool to its end. @throws Error with the last lines of what it said */
export async function useTool(
  { tool, version, toolEnv }: ContainerTool,
  args: readonly string[],
  timeoutMs: number,
  stdin?: string,
): Promise<string> {
  const result = await runProcess({ argv: [tool, ...args], cwd: "/", env: toolEnv, timeoutMs, ...(stdin === undefined ? {} : { stdin }) });
  if (result.exitCode === 0) return result.stdout.head.trim();
  const said = (result.stderr.head.trim() || result.stdout.head.trim()).split("\n").slice(-3).join(" ");
  throw new Error(`${version}: "${args[0]}" failed${result.endedBy === "deadline" ? ` after ${timeoutMs / 1000} s` : ""}: ${said}`);
}

/**
 * The name of an image that is on this machine and has the packages: pulled when it may be, and for packages one of its own,
 * built once and kept under a name made of what is in it. Only the build has the network.
 *
 * @throws Error when there is none: nothing is run without it
 */
export async function readyImage(options: ReadyImageOptions): Promise<string> {
  const { image, preinstall } = options;
  const file = buildFile(image, preinstall);
  if (file === null) {
    await pullImage(options);
    return image;
  }
  const name = `massgen/prepared:${createHash("sha256").update(file).digest("hex").slice(0, 16)}`;
  if (await isThere(options, name)) return name;
  await pullImage(options);
  const empty = await mkdtemp(join(tmpdir(), "massgen-build-"));
  try {
    await useTool(options, ["build", "--tag", name, "--file", "-", empty], 3 * INSTALL_MS, file);
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
  return name;
}

export async function pullImage(options: ContainerTool & Pick<ReadyImageOptions, "image" | "pull">): Promise<void> {
  const { image, pull } = options;
  if ((await isThere(options, image)) && pull !== "always") return;
  if (pull === "never") throw new Error(`The image ${image} is not on this machine, and command_line_docker_pull is "never".`);
  await useTool(options, ["pull", image], PULL_MS);
}

const isThere = (tool: ContainerTool, image: string): Promise<boolean> =>
  useTool(tool, ["image", "inspect", "--format", "ok", image], ASK_MS).then(
    () => true,
    () => false,
  );

/** `null` when nothing is to be installed. Names are arguments, never read by a shell. */
function buildFile(image: string, { python, npm, system }: Preinstall): string | null {
  const steps = [
    ...(system.length === 0
      ? []
      : [
          ["apt-get", "update"],
          ["apt-get", "install", "-y", "--no-install-recommends", "--", ...system],
        ]),
    ...(python.length === 0 ? [] : [["pip", "install", "--no-cache-dir", "--", ...python]]),
    ...(npm.length === 0 ? [] : [["npm", "install", "--global", "--", ...npm]]),
  ];
  if (steps.length === 0) return null;
  return [`FROM ${image}`, "USER root", ...steps.map((step) => `RUN ${JSON.stringify(step)}`), ""].join("\n");
}
