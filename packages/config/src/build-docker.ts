import type { DockerConfig, DockerMountConfig } from "./config.js";
import { credentialKeys, dockerKeys, preinstallKeys } from "./keys/backend-docker.js";
import { keyReader, readMap, readText } from "./read-key.js";
import type { MapNode } from "./tree.js";

const IMAGE = "massgen/mcp-runtime:latest";
const SUDO_IMAGE = "massgen/mcp-runtime-sudo:latest";

/** How the commands of an agent run in a container (docs/spec/config.md 6). */
export function buildDocker(backend: MapNode): DockerConfig {
  const read = keyReader(backend, dockerKeys);
  const sudo = read("command_line_docker_enable_sudo") ?? false;
  const credentials = readMap(backend, "command_line_docker_credentials");
  const named = keyReader(credentials, credentialKeys);
  const preinstall = keyReader(readMap(readMap(backend, "command_line_docker_packages"), "preinstall"), preinstallKeys);
  return {
    image: read("command_line_docker_image")?.trim() || (sudo ? SUDO_IMAGE : IMAGE),
    memory: read("command_line_docker_memory_limit")?.toLowerCase() ?? "2g",
    cpus: read("command_line_docker_cpu_limit") ?? 2,
    network: read("command_line_docker_network_mode") ?? "none",
    sudo,
    pull: read("command_line_docker_pull") ?? "missing",
    credentials: {
      kinds: named("mount") ?? [],
      mounts: mountsOf(readMap(credentials, "additional_mounts")),
      envFile: named("env_file")?.trim() || null,
      envNames: named("env_vars") ?? [],
      envFileNames: named("env_vars_from_file") ?? [],
      allEnv: named("pass_all_env") ?? false,
    },
    preinstall: { python: preinstall("python") ?? [], npm: preinstall("npm") ?? [], system: preinstall("system") ?? [] },
  };
}

/** `<path here>: {bind: <path there>, mode: ro}`, or the path there by itself. */
function mountsOf(map: MapNode): readonly DockerMountConfig[] {
  return [...map.entries].flatMap(([source, node]) => {
    const target =
      node.kind === "map" ? readText(node, "bind") : node.kind === "scalar" && typeof node.value === "string" ? node.value : null;
    if (target === null) return [];
    return [{ source, target, mode: node.kind === "map" && readText(node, "mode") === "rw" ? ("rw" as const) : ("ro" as const) }];
  });
}
