import { checkDocker } from "./check-docker.js";
import { describeFound, quoteText } from "./describe.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/** Rules about files and commands (docs/spec/config.md 6 and 14). */
export function checkHands(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const backends = agents.map((agent) => child(agent, "backend"));
  const hasFiles = backends.some((backend) => isText(child(backend, "cwd")));
  const contexts = child(root.entries.get("orchestrator"), "context_paths");
  if (contexts?.kind === "list" && contexts.items.length > 0 && !hasFiles)
    reporter.report("CFG102", contexts, "no agent has a 'cwd', so nobody sees the context paths", {
      on: "key",
      hint: "Give agents files with backend: {cwd: workspace, …}.",
    });
  if (contexts?.kind === "list") for (const item of contexts.items) checkContext(item, reporter);
  for (const backend of backends) {
    checkCommands(backend, reporter);
    checkDocker(backend, reporter);
    for (const key of PATTERN_KEYS) checkPatterns(child(backend, key), reporter);
  }
}

const PATTERN_KEYS = [
  "command_line_allowed_commands",
  "command_line_blocked_commands",
  "command_line_whitelist_patterns",
  "command_line_blacklist_patterns",
];

/** A pattern that cannot be read would refuse every command, or none. */
function checkPatterns(list: ConfigNode | undefined, reporter: Reporter): void {
  if (list?.kind !== "list") return;
  for (const item of list.items) {
    const pattern = toValue(item);
    if (typeof pattern !== "string") continue;
    try {
      new RegExp(pattern);
    } catch (error) {
      // What the engine says repeats the pattern; the reason stands behind it.
      const reason = (error instanceof Error ? error.message : String(error)).split(": ").at(-1);
      reporter.report("CFG037", item, `not a valid pattern: ${reason}`);
    }
  }
}

/** What a path says by itself; the disk is asked by the run. */
function checkContext(item: ConfigNode, reporter: Reporter): void {
  if (item.kind === "list" || (item.kind === "scalar" && typeof item.value !== "string")) {
    reporter.report("CFG033", item, `a context path must be text or a map, found ${describeFound(item)}`, {
      hint: "For example: {path: ./src, permission: read}",
    });
    return;
  }
  const node = item.kind === "map" ? item.entries.get("path") : item;
  if (node === undefined || !isText(node)) {
    reporter.report("CFG100", node ?? item, "a context path without a 'path' is left out", { on: "key", severity: "warning" });
    return;
  }
  const path = String(toValue(node));
  if (namesOf(path).includes(".massgen")) {
    const permission = toText(child(item, "permission")) ?? toText(child(item, "access"));
    reporter.report("CFG102", node, `the context path ${quoteText(path)} lies in '.massgen', which belongs to MassGen`, {
      severity: permission === "write" || permission === "rw" ? "error" : "warning",
      hint: "Name a folder outside of it.",
    });
  }
  const guarded = child(item, "protected_paths");
  for (const entry of guarded?.kind === "list" ? guarded.items : []) {
    const written = toText(entry);
    if (written !== null && isOutside(written, path))
      reporter.report("CFG101", entry, `the protected path ${quoteText(written)} is not inside of ${quoteText(path)}`, {
        hint: `Write it relative to ${quoteText(path)}.`,
      });
  }
}

/** By its text alone: a relative one that climbs out, or an absolute one elsewhere. */
function isOutside(written: string, path: string): boolean {
  if (isAbsolute(written)) return isAbsolute(path) && !`${namesOf(written).join("/")}/`.startsWith(`${namesOf(path).join("/")}/`);
  let depth = 0;
  for (const name of namesOf(written)) {
    depth += name === ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
const namesOf = (path: string): readonly string[] => path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");

function toText(node: ConfigNode | undefined): string | null {
  const value = node === undefined ? null : toValue(node);
  return typeof value === "string" ? value : null;
}

function checkCommands(backend: ConfigNode | undefined, reporter: Reporter): void {
  const commands = child(backend, "enable_mcp_command_line");
  if (commands === undefined || toValue(commands) !== true) return;
  if (!isText(child(backend, "cwd")))
    reporter.report("CFG120", commands, "'enable_mcp_command_line' has no effect without a 'cwd': there is no folder to run commands in", {
      on: "key",
      hint: "Add cwd: workspace beside it.",
    });
}

function isText(node: ConfigNode | undefined): boolean {
  return (toText(node) ?? "").trim() !== "";
}
