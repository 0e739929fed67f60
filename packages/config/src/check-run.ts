import { checkFolders } from "./check-folders.js";
import { checkHands } from "./check-hands.js";
import { checkHooks } from "./check-hooks.js";
import { checkServers } from "./check-mcp.js";
import { checkModes } from "./check-modes.js";
import { checkTeam } from "./check-team.js";
import type { Reporter } from "./reporter.js";
import { child, type MapNode, toValue } from "./tree.js";

/** Rules that look at more than one section. */
export function checkRun(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  noteAgentTimeout(root, reporter);
  warnIdleStagnation(root, reporter);
  warnIdleDebugAnswer(root, reporter);
  checkModes(root, agents, reporter);
  checkTeam(root, agents, reporter);
  checkFolders(agents, reporter);
  checkHands(root, agents, reporter);
  checkHooks(root, agents, reporter);
  checkServers(agents, reporter);
}

function noteAgentTimeout(root: MapNode, reporter: Reporter): void {
  const node = child(root.entries.get("timeout_settings"), "agent_timeout_seconds");
  if (node === undefined || toValue(node) === null) return;
  reporter.report("CFG120", node, "'agent_timeout_seconds' has no effect", {
    on: "key",
    severity: "note",
    hint: "Use 'initial_round_timeout_seconds' and 'subsequent_round_timeout_seconds'.",
  });
}

/** Nothing is judged without another attempt. */
function warnIdleDebugAnswer(root: MapNode, reporter: Reporter): void {
  const orchestrator = root.entries.get("orchestrator");
  const answer = child(orchestrator, "debug_final_answer");
  const restarts = child(child(orchestrator, "coordination"), "max_orchestration_restarts");
  if (answer === undefined || typeof toValue(answer) !== "string" || (restarts !== undefined && toValue(restarts) !== 0)) return;
  reporter.report("CFG120", answer, "'debug_final_answer' has no effect: the answer is not judged without restarts", {
    on: "key",
    hint: "Set 'coordination.max_orchestration_restarts', or leave it out.",
  });
}

/** A fresh start after stagnation is a restart. */
function warnIdleStagnation(root: MapNode, reporter: Reporter): void {
  const orchestrator = root.entries.get("orchestrator");
  const stagnation = child(orchestrator, "restart_after_stagnation");
  const restarts = child(orchestrator, "enable_restarts");
  if (stagnation === undefined || toValue(stagnation) === null || restarts === undefined || toValue(restarts) !== false) return;
  reporter.report("CFG120", stagnation, "'restart_after_stagnation' has no effect, because 'enable_restarts' is false", {
    on: "key",
    hint: "Remove one of them.",
  });
}
