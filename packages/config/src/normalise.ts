import { quoteValue } from "./describe.js";
import { ensureMap, misplaced, move } from "./move-keys.js";
import { normaliseAgent } from "./normalise-agent.js";
import { normaliseServers } from "./normalise-mcp.js";
import { nameAgents, readTeam } from "./normalise-team.js";
import type { Reporter } from "./reporter.js";
import { child, type MapNode, toValue } from "./tree.js";

/**
 * Rewrites what people write into the one form the rest works with (docs/spec/config.md 22), in place.
 * Moved values remember where they were written. Gives the agents in order, those that are maps.
 */
export function normalise(root: MapNode, reporter: Reporter): readonly MapNode[] {
  normaliseUi(root);
  misplaced(root, "timeout", root, "timeout_settings", "timeout_settings", reporter);
  misplaced(root, "task", root, "prompt", "prompt", reporter);
  normaliseOrchestrator(root, reporter);
  const agents = readTeam(root, reporter);
  nameAgents(agents, reporter);
  for (const agent of agents) normaliseAgent(agent, reporter);
  normaliseServers(root, agents, reporter);
  root.entries.delete("agent");
  root.entries.set("agents", { kind: "list", items: [...agents], keyRange: null, range: null, parent: root, step: "agents" });
  return agents;
}

/** `display` is `ui`, and `type` in either is `display_type`; the proper name wins. */
function normaliseUi(root: MapNode): void {
  const display = root.entries.get("display");
  if (display !== undefined && display.kind !== "map") {
    if (!root.entries.has("ui")) root.entries.set("ui", display);
  }
  root.entries.delete("display");
  const ui = root.entries.get("ui");
  for (const section of [display, ui]) if (section?.kind === "map") move(section, "type", section, "display_type");
  if (display?.kind !== "map") return;
  if (ui === undefined || ui.kind !== "map") root.entries.set("ui", display);
  else for (const key of [...display.entries.keys()]) move(display, key, ui, key);
}

function normaliseOrchestrator(root: MapNode, reporter: Reporter): void {
  const orchestrator = root.entries.get("orchestrator");
  if (orchestrator?.kind !== "map") return;
  for (const key of ["skills_directory", "max_orchestration_restarts"]) {
    if (!orchestrator.entries.has(key)) continue;
    const coordination = ensureMap(orchestrator, "coordination");
    if (coordination !== null) misplaced(orchestrator, key, coordination, key, `orchestrator.coordination.${key}`, reporter);
  }
  const coordination = orchestrator.entries.get("coordination");
  const renamed = child(coordination, "async_subagents");
  if (renamed !== undefined && coordination?.kind === "map") {
    reporter.report("CFG090", renamed, "'async_subagents' has another name now", { on: "key", hint: "Use 'background_subagents'." });
    coordination.entries.delete("async_subagents");
  }
  const storage = orchestrator.entries.get("session_storage");
  if (storage !== undefined)
    reporter.report("CFG064", storage, "'session_storage' has no effect; sessions are kept in .massgen/sessions", { on: "key" });
  mergeTimeout(root, orchestrator, reporter);
}

/** The documented second place of the run's time limit. */
function mergeTimeout(root: MapNode, orchestrator: MapNode, reporter: Reporter): void {
  const key = "orchestrator_timeout_seconds";
  const here = child(orchestrator.entries.get("timeout"), key);
  if (here === undefined || toValue(here) === null) return;
  const settings = ensureMap(root, "timeout_settings");
  const there = child(settings ?? undefined, key);
  if (there === undefined || toValue(there) === null) settings?.entries.set(key, here);
  else if (toValue(there) !== toValue(here)) {
    reporter.report("CFG065", here, `'timeout_settings.${key}' is ${quoteValue(there)} and wins over this one`, {
      hint: "Remove one of them.",
    });
  }
}
