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

/** Who is given no part gets one when the run begins: worth knowing, because it is a call more and another division each time. */
function checkParts(mode: ConfigNode, agents: readonly MapNode[], reporter: Reporter): void {
  if (agents.length === 1) {
    reporter.report("CFG120", mode, "'coordination_mode' has no effect with one agent, which works on the whole", { on: "key" });
    return;
  }
  const partless = agents.filter((agent) => {
    const subtask = child(agent, "subtask");
    const text = subtask === undefined ? null : toValue(subtask);
    return typeof text !== "string" || text.trim() === "";
  });
  const [first] = partless;
  if (first === undefined) return;
  const whose =
    partless.length === agents.length ? "no agent has a 'subtask'" : `${partless.length} of ${agents.length} agents have no 'subtask'`;
  reporter.report("CFG085", first, `${whose}; the work is divided when the run begins`, {
    on: "key",
    hint: "Say with 'subtask' which part of the whole an agent works on, to keep that call and the same parts each time.",
  });
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
