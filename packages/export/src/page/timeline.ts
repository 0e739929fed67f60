import { formatDuration } from "@massgen/views";
import type { Moment, TurnRecord } from "../read-turn.js";
import { type Html, html, nothing } from "./html.js";

const TONE: Readonly<Partial<Record<Moment["type"], string>>> = {
  answer_submitted: "answered",
  vote_cast: "voted",
  winner_selected: "won",
  presentation_finished: "won",
  agent_failed: "failed",
  agent_timeout: "failed",
  orchestrator_timeout: "failed",
  cancelled: "failed",
  vote_invalidated: "quiet",
  phase_changed: "quiet",
  round_started: "quiet",
};

/** What happened when, a sentence each. */
export const timelineSection = (
  { moments, moreMoments }: TurnRecord,
  id: string,
): Html => html`<section id="${id}-timeline" aria-labelledby="${id}-timeline-title">
<h2 id="${id}-timeline-title">Timeline</h2>
<ol class="timeline">${moments.map(
  ({ seq, elapsedMs, type, text }) =>
    html`<li class="${TONE[type] ?? "plain"}"><span class="time">${formatDuration(elapsedMs)}</span> <span dir="auto">${text}</span> <span class="faint">E${seq}</span></li>`,
)}</ol>
${moreMoments === 0 ? nothing : html`<p class="note">${moreMoments} more are in events.jsonl.</p>`}
</section>`;
