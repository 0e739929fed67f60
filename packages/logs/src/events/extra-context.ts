import type { JsonValue, Recorded } from "@massgen/contracts";
import { currentAnswers } from "@massgen/kernel";
import { finishReasonOf, type RunView } from "@massgen/views";

/** What readers of the files want beside the fields of a fact. Never read back; `view` is the view after the record. */
export function extraContext(record: Recorded, view: RunView): Readonly<Record<string, JsonValue>> {
  const { state } = view;
  switch (record.type) {
    case "run_started":
      return { schema_version: 1, agent_mapping: Object.fromEntries(record.agents.map((card) => [card.anon, card.id])) };
    case "run_resumed":
      return { resumed_from: record.runId };
    case "run_finished":
      return { finish_reason: finishReasonOf(record.status), duration_seconds: (record.at - (view.startedAt ?? record.at)) / 1000 };
    case "cancelled":
      return { partial_saved: state.answers.length > 0 };
    case "orchestrator_timeout":
      return {
        limit: record.limitMs / 1000,
        elapsed: elapsedSeconds(record, view),
        available_answers: currentAnswers(state).map((answer) => answer.label),
      };
    case "soft_timeout":
    case "hard_timeout": {
      const startedAt = view.agents.get(record.agent)?.newestRound?.startedAt;
      return { limit: record.limitMs / 1000, elapsed: startedAt === undefined ? null : (record.at - startedAt) / 1000 };
    }
    case "update_injected":
      return { sources: [...new Set(record.labels.map(authorOf))], count: record.labels.length };
    case "restart_triggered":
      return { triggering_agent: record.by };
    case "answer_submitted":
      return { chars: record.content.length };
    case "vote_cast":
      return { self_vote: record.agent === record.target, reason_missing: record.reason.trim() === "" };
    case "winner_selected":
      return { vote_summary: summaryOf(record.tally), all_answers: currentAnswers(state).map((answer) => answer.label) };
    case "presentation_started":
      return { round_type: "final" };
    case "presentation_finished":
      return { label: `${view.agents.get(record.agent)?.card.anon ?? record.agent}.final` };
    default:
      return {};
  }
}

const elapsedSeconds = (record: Recorded, view: RunView): number => (record.at - (view.coordinatingAt ?? record.at)) / 1000;

const authorOf = (label: string): string => label.slice(0, label.indexOf("."));

export const summaryOf = (tally: readonly { readonly label: string; readonly weight: number }[]): string =>
  tally.length === 0 ? "no votes" : tally.map(({ label, weight }) => `${label}: ${weight}`).join(", ");
