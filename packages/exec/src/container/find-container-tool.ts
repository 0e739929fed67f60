import { runProcess } from "../process/start-process.js";
import { containerToolVariables } from "../process/watchdog.js";
import { findProgram } from "../sandbox/find-sandbox.js";

export type ContainerFinding =
  | { readonly found: true; readonly tool: string; readonly version: string; readonly toolEnv: Readonly<Record<string, string>> }
  | { readonly found: false; readonly reason: string; readonly remedy: string };

export interface FindContainerToolOptions {
  /** The host's variables: `PATH`, and where the daemon is (`DOCKER_HOST`, …). */
  readonly host: Readonly<Record<string, string | undefined>>;
}

/** The first of `docker` and `podman` whose daemon answers. There is no fall back to commands without one. */
export async function findContainerTool({ host }: FindContainerToolOptions): Promise<ContainerFinding> {
  const toolEnv = containerToolVariables(host);
  const silent: string[] = [];
  for (const name of ["docker", "podman"]) {
    const tool = findProgram(name, host["PATH"] ?? "");
    if (tool === null) continue;
    const format = name === "docker" ? "{{.Server.Version}}" : "{{.Version}}";
    const result = await runProcess({ argv: [tool, "version", "--format", format], cwd: "/", env: toolEnv, timeoutMs: 10_000 });
    if (result.exitCode === 0) return { found: true, tool, version: `${name} ${result.stdout.head.trim()}`, toolEnv };
    silent.push(`${name}: ${result.stderr.head.trim().split("\n")[0] ?? "no answer"}`);
  }
  if (silent.length > 0) {
    return {
      found: false,
      reason: `No container daemon answers (${silent.join("; ")}).`,
      remedy: "Start it (Docker Desktop, or: systemctl start docker), or set DOCKER_HOST to where it listens.",
    };
  }
  return {
    found: false,
    reason: "command_line_execution_mode is docker, and neither docker nor podman is installed.",
    remedy: "Install one of them, or use `command_line_execution_mode: local`.",
  };
}
