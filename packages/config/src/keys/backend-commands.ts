import { built, closed, free, ignored, refused } from "../key-table.js";
import { anything, bool, count, list, map, number, oneOf, seconds, text, texts } from "../shapes.js";

const credentials = closed("CFG042", "CFG033", {
  mount: ignored("docker", texts),
  additional_mounts: ignored("docker", map, { keys: () => free }),
  env_file: ignored("docker", text),
  env_vars: ignored("docker", texts),
  env_vars_from_file: ignored("docker", texts),
  pass_all_env: ignored("docker", bool),
});

const preinstall = closed("CFG042", "CFG033", {
  python: ignored("docker", texts),
  npm: ignored("docker", texts),
  system: ignored("docker", texts),
});

const packages = closed("CFG042", "CFG033", {
  preinstall: ignored("docker", map, { keys: () => preinstall }),
  auto_install_deps: ignored("docker", bool),
});

/** Workspace and command line of an agent (docs/spec/config.md 6). */
export const commandKeys = {
  cwd: built(text),
  context_paths: ignored("contextPaths", list),
  context_write_access_enabled: refused("contextPaths", bool),
  enforce_read_before_delete: built(bool),
  enforce_read_before_overwrite: built(bool),
  exclude_file_operation_mcps: built(bool),
  file_tools: built(oneOf(["full", "read_only", "none"]), { code: "CFG036" }),
  workspace_between_rounds: refused("workspaces", text),
  workspace_retention: refused("workspaces", anything),
  keep_workspaces: refused("workspaces", anything),
  keep_background: refused("commands", bool),
  snapshot_exclude: refused("workspaces", texts),
  snapshot_include: refused("workspaces", texts),
  snapshot_limits: refused("workspaces", map, { keys: () => free }),
  overwrite_without_reading: built(bool),
  permissions: refused("permissions", map, { keys: () => free }),
  enable_mcp_command_line: built(bool),
  command_line_execution_mode: built(oneOf(["local", "docker", "srt"]), { code: "CFG036" }),
  command_line_allowed_commands: built(texts),
  command_line_blocked_commands: built(texts),
  command_line_whitelist_patterns: built(texts),
  command_line_blacklist_patterns: built(texts),
  command_line_docker_image: ignored("docker", text),
  command_line_docker_memory_limit: ignored("docker", text),
  command_line_docker_cpu_limit: ignored("docker", number),
  command_line_docker_network_mode: ignored("docker", oneOf(["none", "bridge", "host"]), { code: "CFG036" }),
  command_line_docker_enable_sudo: ignored("docker", bool),
  command_line_docker_credentials: ignored("docker", map, { keys: () => credentials }),
  command_line_docker_packages: ignored("docker", map, { keys: () => packages }),
  command_line_docker_pull: refused("docker", oneOf(["missing", "never", "always"]), { code: "CFG036" }),
  command_line_srt_network_allowed_domains: refused("commands", texts),
  command_line_srt_deny_read: refused("commands", texts),
  command_line_srt_allow_unix_sockets: refused("commands", anything),
  command_line_srt_read_mode: refused("commands", oneOf(["confined", "strict", "open"]), { code: "CFG036" }),
  command_line_srt_allow_read: refused("commands", texts),
  command_line_srt_read_only: refused("commands", anything),
  command_line_sandbox: built(oneOf(["auto", "require", "off"]), { code: "CFG036" }),
  command_line_timeout: built(seconds),
  command_line_max_timeout: built(seconds),
  command_line_env: built(map, { keys: () => free }),
  command_line_env_passthrough: built(texts),
  command_line_max_background: built(count),
  command_line_auto_venv: built(bool),
  allow_host_network: refused("docker", bool),
};
