import { quoteText } from "./describe.js";
import { didYouMean, nearest } from "./nearest.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, type MapNode, toValue } from "./tree.js";

/** Rules about how the agents work together (docs/spec/coordination.md 1.20 to 1.22). */
export function checkModes(root: MapNode, agents: readonly MapNode[], reporter: Reporter): void {
  const orchestrator = root.entries.get("orchestrator");
  checkPresenter(child(orchestrator, "presenter_agent"), agents, reporter);
  const mode = child(orchestrator, "coordination_mode");
  const isSequential = isWord(child(orchestrator, "workflow"), "sequential");
  if (agents.length > 1 && isSequential) warnVotingKeys(orchestrator, reporter);
  else if (mode !== undefined && isWord(mode, "decomposition")) checkParts(mode, agents, reporter);
}

function checkPresenter(presenter: ConfigNode | undefined, agents: readonly MapNode[], reporter: Reporter): void {
  const id = presenter === undefined ? null : toValue(presenter);
  if (presenter === undefined || typeof id !== "string") return;
  const ids = agents.flatMap((agent) => {
    const own = child(agent, "id");
    const name = own === undefined ? null : toValue(own);
    return typeof name === "string" ? [name] : [];
  });
  if (!ids.includes(id))
    reporter.report("CFG084", presenter, `${quoteText(id)} is no agent id`, {
      hint: `${didYouMean(nearest(id, ids))} Agents: ${ids.join(", ")}.`.trim(),
    });
}

/** Every agent has a part; dividing the question by itself is not built. */
function checkParts(mode: ConfigNode, agents: readonly MapNode[], reporter: Reporter): void {
  if (agents.length === 1) {
    reporter.report("CFG120", mode, "'coordination_mode' has no effect with one agent, which works on the whole", { on: "key" });
    return;
  }
  for (const agent of agents) {
    const subtask = child(agent, "subtask");
    const text = subtask === undefined ? null : toValue(subtask);
    if (typeof text === "string" && text.trim() !== "") continue;
    reporter.report("CFG085", subtask ?? agent, "in decomposition mode every agent needs a 'subtask'", {
      on: "key",
      hint: "Say which part of the whole this agent works on; dividing a question at run time is not supported yet.",
    });
  }
}

/** What decides between answers has nothing to decide where there is one result after another. */
const VOTING_KEYS = [
  "voting_sensitivity",
  "max_new_answers_per_agent",
  "max_new_answers_global",
  "answer_novelty_requirement",
  "fairness_enabled",
  "fairness_lead_cap_answers",
  "max_midstream_injections_per_round",
  "disable_injection",
  "defer_peer_updates_until_restart",
  "defer_voting_until_all_answered",
  "straggler_patience",
  "tie_break",
  "answer_order",
  "skip_voting",
  "skip_final_presentation",
  "final_answer_strategy",
  "coordination_mode",
  "presenter_agent",
  "max_rounds",
  "convergence_threshold",
  "voting_method",
  "self_vote_weight",
  "enable_restarts",
  "restart_after_stagnation",
];

function warnVotingKeys(orchestrator: ConfigNode | undefined, reporter: Reporter): void {
  for (const key of VOTING_KEYS) {
    const node = child(orchestrator, key);
    if (node === undefined || toValue(node) === null) continue;
    reporter.report("CFG120", node, `'${key}' has no effect in a sequential workflow, where nobody votes`, {
      on: "key",
      hint: "Remove it.",
    });
  }
}

const isWord = (node: ConfigNode | undefined, word: string): boolean => node !== undefined && toValue(node) === word;
