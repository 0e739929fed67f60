import { buildDocker } from "./build-docker.js";
import type { CommandsConfig, ContextPathConfig, HandsConfig } from "./config.js";
import { backendKeys } from "./keys/backend.js";
import { keyReader, readText } from "./read-key.js";
import { type MapNode, toRecord, toValue } from "./tree.js";

/** What an agent with a `cwd` may do; `null` for one without files (docs/spec/config.md 6). */
export function buildHands(backend: MapNode): HandsConfig | null {
  const read = keyReader(backend, backendKeys.keys);
  const cwd = read("cwd")?.trim() ?? "";
  if (cwd === "") return null;
  return {
    cwd,
    readBeforeDelete: read("enforce_read_before_delete") ?? true,
    readBeforeOverwrite: read("enforce_read_before_overwrite") ?? read("overwrite_without_reading") !== true,
    fileTools: read("file_tools") ?? (read("exclude_file_operation_mcps") === true ? "none" : "full"),
    commands: read("enable_mcp_command_line") === true ? commandsOf(backend) : null,
  };
}

function commandsOf(backend: MapNode): CommandsConfig {
  const read = keyReader(backend, backendKeys.keys);
  const env = backend.entries.get("command_line_env");
  return {
    docker: read("command_line_execution_mode") === "docker" ? buildDocker(backend) : null,
    sandbox: read("command_line_execution_mode") === "srt" ? "require" : (read("command_line_sandbox") ?? "auto"),
    timeoutSeconds: read("command_line_timeout") ?? 120,
    maxTimeoutSeconds: read("command_line_max_timeout") ?? 600,
    allowed: [...(read("command_line_allowed_commands") ?? []), ...(read("command_line_whitelist_patterns") ?? [])],
    blocked: [...(read("command_line_blocked_commands") ?? []), ...(read("command_line_blacklist_patterns") ?? [])],
    env: env?.kind === "map" ? toRecord(env.entries, (node) => String(toValue(node))) : {},
    envPassthrough: read("command_line_env_passthrough") ?? [],
    maxBackground: read("command_line_max_background") ?? 10,
    autoVenv: read("command_line_auto_venv") ?? true,
  };
}

/** Files and folders of the user's, as written; a bare text is one to read (docs/spec/config.md 14). */
export function buildContextPaths(orchestrator: MapNode): readonly ContextPathConfig[] {
  const list = orchestrator.entries.get("context_paths");
  if (list?.kind !== "list") return [];
  const byPath = new Map<string, ContextPathConfig>();
  for (const item of list.items) {
    const one = item.kind === "map" ? contextPathOf(item) : item.kind === "scalar" ? plain(String(item.value ?? "")) : null;
    if (one === null || one.path === "") continue;
    const before = byPath.get(one.path);
    // Twice the same: write wins, and what either protects stays protected.
    byPath.set(one.path, {
      path: one.path,
      permission: before?.permission === "write" ? "write" : one.permission,
      protectedPaths: [...new Set([...(before?.protectedPaths ?? []), ...one.protectedPaths])],
    });
  }
  return [...byPath.values()];
}

const plain = (path: string): ContextPathConfig => ({ path: path.trim(), permission: "read", protectedPaths: [] });

function contextPathOf(map: MapNode): ContextPathConfig {
  const written = (readText(map, "permission") ?? readText(map, "access") ?? "read").trim().toLowerCase();
  const guarded = map.entries.get("protected_paths");
  return {
    path: (readText(map, "path") ?? "").trim(),
    permission: WRITES.includes(written) ? "write" : "read",
    protectedPaths: guarded?.kind === "list" ? guarded.items.map((item) => String(toValue(item))) : [],
  };
}

const WRITES: readonly string[] = ["write", "rw"];
