import type { ToolChoiceConfig } from "./config.js";
import { toolKeys } from "./keys/backend-tools.js";
import { keyReader } from "./read-key.js";
import type { MapNode } from "./tree.js";

/** Which tools an agent has, and how many of its calls run side by side (docs/spec/config.md 7.2 and 7.4). */
export function buildToolChoice(backend: MapNode): ToolChoiceConfig {
  const read = keyReader(backend, toolKeys);
  const allowed = read("allowed_tools") ?? [];
  return {
    // As in the Python version, an empty list restricts nothing.
    allowed: allowed.length === 0 ? null : allowed,
    excluded: read("exclude_tools") ?? [],
    atOnce: read("concurrent_tool_execution") === false ? 1 : (read("max_concurrent_tools") ?? 8),
  };
}
