import { describe, expect, it } from "vitest";
import { requireConfig, validateConfig } from "../src/index.js";

const inDocker = { cwd: "ws", enable_mcp_command_line: true, command_line_execution_mode: "docker" };
const team = (backend: Record<string, unknown>) =>
  validateConfig({ agents: [{ id: "a", backend: { type: "groq", model: "m", ...inDocker, ...backend } }] });
const dockerOf = (backend: Record<string, unknown>) => requireConfig(team(backend)).agents[0]!.hands?.commands?.docker;
const messages = (backend: Record<string, unknown>) =>
  team(backend).issues.map(({ code, severity, message }) => `${severity} ${code} ${message}`);

describe("commands in a container", () => {
  it("have defaults: no network, 2 GiB, two processors, the image of the Python version", () => {
    expect(team({}).issues).toEqual([]);
    expect(dockerOf({})).toEqual({
      image: "massgen/mcp-runtime:latest",
      memory: "2g",
      cpus: 2,
      network: "none",
      sudo: false,
      pull: "missing",
      credentials: { kinds: [], mounts: [], envFile: null, envNames: [], envFileNames: [], allEnv: false },
      preinstall: { python: [], npm: [], system: [] },
    });
  });

  it.each([
    [{ command_line_docker_enable_sudo: true }, { sudo: true, image: "massgen/mcp-runtime-sudo:latest" }],
    [
      { command_line_docker_enable_sudo: true, command_line_docker_image: "mine:1" },
      { sudo: true, image: "mine:1" },
    ],
    [
      { command_line_docker_memory_limit: "512M", command_line_docker_cpu_limit: 0.5 },
      { memory: "512m", cpus: 0.5 },
    ],
    [
      { command_line_docker_network_mode: "bridge", command_line_docker_pull: "never" },
      { network: "bridge", pull: "never" },
    ],
    [{ command_line_docker_network_mode: "host", allow_host_network: true }, { network: "host" }],
    [
      {
        command_line_docker_credentials: {
          mount: ["git_config"],
          additional_mounts: { "~/data": { bind: "/data" }, x: { bind: "/x", mode: "rw" } },
          env_vars: ["TOKEN"],
          env_file: ".env.d",
        },
      },
      {
        credentials: {
          kinds: ["git_config"],
          mounts: [
            { source: "~/data", target: "/data", mode: "ro" },
            { source: "x", target: "/x", mode: "rw" },
          ],
          envFile: ".env.d",
          envNames: ["TOKEN"],
          envFileNames: [],
          allEnv: false,
        },
      },
    ],
    [{ command_line_docker_packages: { preinstall: { python: ["pandas"] } } }, { preinstall: { python: ["pandas"], npm: [], system: [] } }],
  ])("%j", (backend, expected) => {
    expect(team(backend).issues).toEqual([]);
    expect(dockerOf(backend)).toMatchObject(expected);
  });

  it.each([
    [
      { command_line_docker_memory_limit: "lots" },
      "error CFG036 'command_line_docker_memory_limit' must be an amount of memory such as 2g, found the text 'lots'",
    ],
    [{ command_line_docker_cpu_limit: 0 }, "error CFG033 'command_line_docker_cpu_limit' must be a number above 0, found the number 0"],
    [{ command_line_docker_network_mode: "host" }, "error CFG036 the network of the host gives a container every service of this machine"],
    [
      { command_line_docker_credentials: { pass_all_env: true } },
      "warning CFG071 'pass_all_env' passes the environment without what looks like a key",
    ],
    [
      { command_line_docker_credentials: { additional_mounts: { x: { mode: "ro" } } } },
      "error CFG033 the mount 'x' needs an absolute path to stand at in the container",
    ],
    [
      { command_line_docker_credentials: { additional_mounts: { x: { bind: "/x", mode: "w" } } } },
      "error CFG036 'w' is not valid for 'mode'",
    ],
    [{ command_line_docker_packages: { preinstall: { npm: ["; rm -rf /"] } } }, "error CFG033 '; rm -rf /' is no name of a package"],
    [
      { command_line_docker_packages: { preinstall: { python: ["--index-url=http://x"] } } },
      "error CFG033 '--index-url=http://x' is no name of a package",
    ],
    [
      { command_line_docker_packages: { auto_install_deps: true } },
      "warning CFG120 'auto_install_deps' is known but not supported yet; ignored: dependencies are not installed by themselves",
    ],
  ])("%j is told", (backend, message) => {
    expect(messages(backend)).toEqual([message]);
  });
});
