import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode, type PlainValue, toValue } from "./tree.js";

/**
 * Rules between keys of how a team is led: skills, subagents, the round evaluator, checkpoints (docs/spec/config.md 13).
 * They hold for what is not built yet too: a file that breaks one is refused everywhere.
 */
export function checkTeam(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const coordination = child(root.entries.get("orchestrator"), "coordination");
  checkMainAgent(agents, reporter);
  if (coordination?.kind !== "map") return;
  checkSkills(coordination, agents, reporter);
  checkSubagentTimes(coordination, reporter);
  checkEvaluator(coordination, agents, reporter);
}

function checkMainAgent(agents: readonly MapNode[], reporter: Reporter): void {
  const leading = agents.flatMap((agent) => {
    const node = agent.entries.get("main_agent");
    return node !== undefined && toValue(node) === true ? [node] : [];
  });
  const [first, ...others] = leading;
  for (const node of others) {
    const line = reporter.lineOf(first!);
    reporter.report("CFG095", node, `more than one agent is the 'main_agent'${line === null ? "" : ` (the first at line ${line})`}`, {
      on: "key",
      hint: "One agent leads: leave it out of the others.",
    });
  }
}

function checkSkills(coordination: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const skills = coordination.entries.get("use_skills");
  if (skills === undefined || toValue(skills) !== true) return;
  if (agents.some((agent) => read(child(agent, "backend"), "enable_mcp_command_line") === true)) return;
  reporter.report("CFG086", skills, "the scripts of skills cannot run: no agent has commands", {
    on: "key",
    hint: "Add to the backend of at least one agent: enable_mcp_command_line: true",
  });
}

const SHORTEST_SECONDS = 60;
const LONGEST_SECONDS = 600;

function checkSubagentTimes(coordination: MapNode, reporter: Reporter): void {
  const [least, most] = ["subagent_min_timeout", "subagent_max_timeout"].map((key) => coordination.entries.get(key));
  const node = least ?? most;
  const [from, to] = [numberOr(least, SHORTEST_SECONDS), numberOr(most, LONGEST_SECONDS)];
  if (node === undefined || from <= to) return;
  reporter.report("CFG087", node, `subagents get at least ${from} seconds and at most ${to}: there is no time between them`, {
    hint: "Let 'subagent_min_timeout' be at most 'subagent_max_timeout'.",
  });
}

const BEFORE = "round_evaluator_before_checklist";
const MANAGED = "orchestrator_managed_round_evaluator";

/** Each key of the evaluator with what it cannot be without. That it needs `checklist_gated` is not asked for: nothing votes so here. */
function checkEvaluator(coordination: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const isOn = (key: string): boolean => read(coordination, key) === true;
  const need = (key: string, holds: boolean, what: string, hint: string): void => {
    const node = coordination.entries.get(key);
    if (node !== undefined && isOn(key) && !holds) reporter.report("CFG088", node, `'${key}' ${what}`, { on: "key", hint });
  };
  for (const [key, other] of [
    [BEFORE, MANAGED],
    [MANAGED, BEFORE],
    ["round_evaluator_refine", MANAGED],
    ["enable_execution_trace_analyzer", MANAGED],
  ] as const)
    need(key, isOn(other), `needs '${other}'`, `Add beside it: ${other}: true`);
  need(BEFORE, agents.length === 1, `is for one agent, and there are ${agents.length}`, "Leave it out, or keep one agent.");
  need(BEFORE, isOn("enable_subagents"), "needs 'enable_subagents'", "Add beside it: enable_subagents: true");
  const hasTeam = read(coordination.entries.get("subagent_orchestrator"), "enabled") === true;
  need(BEFORE, hasTeam, "needs 'subagent_orchestrator'", "Add beside it: subagent_orchestrator: {enabled: true}");
  const types = read(coordination, "subagent_types");
  const isNamed = Array.isArray(types) && types.includes("round_evaluator");
  need(BEFORE, isNamed, "needs 'round_evaluator' among 'subagent_types'", "Add beside it: subagent_types: [round_evaluator]");
  const skipped = isOn("round_evaluator_skip_synthesis");
  need(BEFORE, !skipped, "does not go with 'round_evaluator_skip_synthesis'", "Remove 'round_evaluator_skip_synthesis'.");
}

function read(map: ConfigNode | undefined, key: string): PlainValue {
  const node = child(map, key);
  return node === undefined ? null : toValue(node);
}

function numberOr(node: ConfigNode | undefined, otherwise: number): number {
  const value = node === undefined ? null : toValue(node);
  return typeof value === "number" ? value : otherwise;
}
