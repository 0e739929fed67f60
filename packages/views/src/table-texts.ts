import type { AgentId, Recorded } from "@massgen/contracts";
import type { AgentState, Standing } from "@massgen/kernel";
import { excerpt } from "./preview.js";
import { listOf } from "./rule-text.js";
import type { RunView } from "./run-view.js";

// Only characters that every terminal draws two cells wide, so that columns line up.
export const LEGEND: string = [
  "Legend:",
  "  🔄 streaming   ✨ new answer   👀 what it says or sees   ✋ vote   🚫 vote not counted   📥 update received",
  "  🔁 restart   ✅ done   ⏳ waiting   ⏰ time limit   ❌ failed   🏆 winner   🏁 final answer",
].join("\n");

export interface EventLines {
  readonly agent: AgentId;
  readonly lines: readonly string[];
}

/** What a fact puts into the column of its agent; `null` for facts that get no row of their own. */
export function eventLines(record: Recorded): EventLines | null {
  switch (record.type) {
    case "round_started": {
      const seen = record.shown.length === 0 ? "no answers yet" : record.shown.join(", ");
      return at(record.agent, `🔄 STARTED ${record.kind.replace("_", " ")}`, `👀 ${seen}`);
    }
    case "answer_submitted":
      return at(record.agent, `✨ NEW ANSWER: ${record.label}`, `👀 ${excerpt(record.content, 80)}`);
    case "vote_cast":
      return at(
        record.agent,
        `✋ VOTE: ${record.targetLabel}`,
        ...(record.reason.trim() === "" ? [] : [`👀 ${excerpt(record.reason, 50)}`]),
      );
    case "vote_ignored":
      return at(record.agent, "🚫 VOTE NOT COUNTED", `unseen: ${record.unseen.join(", ")}`);
    case "restart_completed":
      return at(record.agent, `🔁 RESTARTED: round ${record.round}`);
    case "update_injected":
      return at(record.agent, `📥 UPDATE: ${record.labels.join(", ")}`);
    case "agent_failed":
      return at(record.agent, record.fatal ? `❌ FAILED: ${record.kind}` : `❌ FAILED ONCE: ${record.kind}`, excerpt(record.message, 80));
    case "agent_timeout":
      return at(record.agent, `⏰ TIMEOUT: ${record.limit} limit`);
    case "agent_abstained":
      return at(record.agent, `🚫 ABSTAINED: ${record.code}`);
    case "agent_stopped":
      return at(
        record.agent,
        record.by === "limit" ? "✅ DONE: no answers left" : `✅ DONE: ${record.status}`,
        ...(record.summary.trim() === "" ? [] : [`👀 ${excerpt(record.summary, 50)}`]),
      );
    case "stop_ignored":
      return at(record.agent, "🚫 STOP NOT COUNTED", `unseen: ${record.unseen.join(", ")}`);
    case "agent_cancelled":
      return at(record.agent, `❌ STOPPED: ${record.reason}`);
    case "presentation_finished":
      return at(
        record.agent,
        `🏁 FINAL ANSWER${record.fallback === null ? "" : ` (stored answer: ${record.fallback})`}`,
        `👀 ${excerpt(record.content, 80)}`,
      );
    default:
      return null;
  }
}

const at = (agent: AgentId, ...lines: readonly string[]): EventLines => ({ agent, lines });

/** Facts about the whole team; `view` is the view after the fact. */
export function spanText(record: Recorded, view: RunView): string | null {
  const name = (id: AgentId): string => `Agent ${view.state.order.indexOf(id) + 1}`;
  switch (record.type) {
    case "restart_triggered":
      return `🔁 ${name(record.by)} RESTART TRIGGERED${record.affected.length === 0 ? "" : ` for ${listOf(record.affected.map(name))}`}`;
    case "coordination_skipped":
      return `⏳ COORDINATION SKIPPED: ${name(record.agent)} answers at once`;
    case "winner_selected":
      if (record.label === null || record.selection === "presenter") return `🏆 ${name(record.winner)} (${record.winner}) PRESENTS`;
      if (view.state.mode === "sequential") return `🏆 ${record.label} of ${name(record.winner)} (${record.winner}) IS THE RESULT`;
      return `🏆 ${name(record.winner)} (${record.winner}) SELECTED with ${record.label}: ${record.consensus.replace("_", " ")}, by ${record.selection.replace("_", " ")}`;
    case "post_evaluation_finished":
      return record.verdict === "restart" ? `🚫 ${name(record.agent)} IS NOT CONTENT: ${excerpt(record.reason, 80)}` : null;
    case "attempt_restarted":
      return `🔁 ATTEMPT ${record.attempt} OF ${record.maxAttempts} BEGINS`;
    case "earlier_attempt_used":
      return `🏁 THE ANSWER OF ATTEMPT ${record.attempt} IS FINAL`;
    case "orchestrator_timeout":
      return "⏰ TIME LIMIT OF THE TEAM PASSED";
    case "stragglers_given_up":
      return `⏳ VOTING BEGINS WITHOUT ${listOf(record.waitingFor.map(name))}`;
    case "cancelled":
      return `❌ CANCELLED: ${excerpt(record.reason, 80)}`;
    default:
      return null;
  }
}

const STATUS: Readonly<Record<Standing, string>> = {
  waiting: "⏳ (waiting)",
  streaming: "🔄 (streaming)",
  answered: "✅ Answered",
  voted: "✋ Voted",
  stopped: "✅ (done)",
  abstained: "🚫 (abstained)",
  restarting: "🔁 (restarting)",
  error: "❌ (failed)",
  timeout: "⏰ (timeout)",
  cancelled: "❌ (stopped)",
  completed: "✅ (completed)",
};

/** What an agent is doing while another one acts. */
export function statusText(agent: AgentState): string {
  if (agent.standing === "answered") return `${STATUS.answered}: ${agent.card.anon}.${agent.answers}`;
  if (agent.standing === "voted" && agent.vote !== null) return `${STATUS.voted}: ${agent.vote.targetLabel}`;
  return STATUS[agent.standing];
}
