import type { EpochMillis } from "@massgen/contracts";
import { agentsOf } from "@massgen/kernel";
import type { RunView } from "@massgen/views";
import { clockTime, dateTime, type ZoneOffset } from "../local-time.js";

export interface Happening {
  readonly at: EpochMillis;
  readonly text: string;
}

/** `agent_outputs/system_status.txt`: how many agents do what, and what has happened so far (docs/spec/logs.md 4.5). */
export function systemStatus(
  view: RunView,
  happenings: readonly Happening[],
  now: EpochMillis,
  zone: ZoneOffset,
  simulated: boolean,
): string {
  const counts = new Map<string, number>();
  for (const { standing } of agentsOf(view.state)) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  const agents = [...counts].map(([standing, count]) => `${count} ${standing}`).join(", ");
  const lines = [
    "=== SYSTEM STATUS LOG ===",
    "",
    `Updated at: ${dateTime(now, zone)}`,
    ...(simulated ? ["This run is simulated: no model is asked."] : []),
    `Agents: ${agents === "" ? "none yet" : agents}`,
    `Presentation: ${presentation(view)}`,
    "",
    "Events:",
    ...happenings.map(({ at, text }) => `[${clockTime(at, zone)}] ${text}`),
  ];
  return `${lines.join("\n")}\n`;
}

function presentation({ presentationStarted, presentationFinished, decision }: RunView): string {
  if (presentationFinished !== null)
    return presentationFinished.fallback === null ? "done" : `done, with the stored answer (${presentationFinished.fallback})`;
  if (presentationStarted !== null) return `${presentationStarted.agent} is writing`;
  return decision === null ? "not yet" : "the decision has fallen";
}
