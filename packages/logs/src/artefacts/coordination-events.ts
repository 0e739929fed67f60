import type { JsonValue, Recorded, RunId } from "@massgen/contracts";
import { currentAnswers } from "@massgen/kernel";
import type { RunView } from "@massgen/views";
import { longTextsOf, withReferences } from "../events/long-texts.js";
import { type PersistedEvent, persistedEvent } from "../events/persisted-event.js";
import type { StepFolders } from "../files/step-folders.js";
import type { ZoneOffset } from "../local-time.js";

/** Records of `events.jsonl` that this file leaves out: they only report activity. */
const LEFT_OUT: ReadonlySet<Recorded["type"]> = new Set(["tool_start", "tool_complete", "llm_call"]);

/** The event as `coordination_events.json` shows it; `null` for records it leaves out. Long texts are in files of their own here, too. */
export function coordinationEvent(
  record: Recorded,
  before: RunView,
  after: RunView,
  { zone, folders }: { readonly zone: ZoneOffset; readonly folders: StepFolders },
): PersistedEvent | null {
  if (LEFT_OUT.has(record.type)) return null;
  const event = withReferences(persistedEvent(record, before, after, zone), longTextsOf(record, folders));
  if (record.type !== "winner_selected") return event;
  const answers = Object.fromEntries(currentAnswers(after.state).map((answer): [string, JsonValue] => [answer.label, answer.content]));
  return { ...event, context: { ...event.context, answers_for_context: answers } };
}

export interface CoordinationEventsInput {
  readonly question: string;
  readonly runId: RunId;
  readonly turn: number;
  readonly attempt: number;
  readonly simulated: boolean;
}

/** `coordination_events.json` (docs/spec/logs.md 4.6). */
export function coordinationEvents(view: RunView, events: readonly PersistedEvent[], input: CoordinationEventsInput): unknown {
  const seconds = (at: number | null): number | null => (at === null ? null : at / 1000);
  return {
    session_metadata: {
      user_prompt: input.question,
      agent_ids: view.state.order,
      agent_mapping: Object.fromEntries([...view.agents.values()].map(({ card }) => [card.anon, card.id])),
      start_time: seconds(view.startedAt),
      end_time: seconds(view.finished?.at ?? null),
      final_winner: view.decision?.fact.winner ?? null,
      run_id: input.runId,
      turn: input.turn,
      attempt: input.attempt,
      ...(input.simulated ? { simulated: true } : {}),
    },
    events,
  };
}
