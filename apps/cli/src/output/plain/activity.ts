import type { AgentId, GateName, RunEvent } from "@massgen/contracts";

/** What an agent is doing right now, as far as it passes by and is kept in no log. */
export interface Activity {
  /** Characters of the running response, reasoning included. */
  readonly chars: number;
  /** End of what it streamed last. */
  readonly tail: string;
  /** When its round or presentation began, on the screen's clock. */
  readonly sinceMs: number;
  /** Why it stands still, when it does. */
  readonly pause: string | null;
  readonly gate: GateName | null;
}
export type Activities = Readonly<Record<AgentId, Activity>>;

const TAIL_CHARS = 2000;

/** Folds one event into what the agents are doing; `nowMs` is the screen's clock. */
export function noteEvent(activities: Activities, event: RunEvent, nowMs: number): Activities {
  const change = changeBy(event, nowMs);
  if (change === null) return activities;
  const before = Object.hasOwn(activities, change.agent) ? activities[change.agent] : undefined;
  return { ...activities, [change.agent]: change.apply(before ?? idle(nowMs)) };
}

const idle = (sinceMs: number): Activity => ({ chars: 0, tail: "", sinceMs, pause: null, gate: null });

interface Change {
  readonly agent: AgentId;
  readonly apply: (before: Activity) => Activity;
}

function changeBy(event: RunEvent, nowMs: number): Change | null {
  switch (event.type) {
    case "round_started":
    case "presentation_started":
      return { agent: event.agent, apply: () => idle(nowMs) };
    case "response_started":
      return { agent: event.agent, apply: (before) => ({ ...before, chars: 0, tail: "", pause: null }) };
    case "content_delta":
    case "reasoning_delta":
      return {
        agent: event.agent,
        apply: (before) => ({
          ...before,
          chars: before.chars + event.text.length,
          tail: (before.tail + event.text).slice(-TAIL_CHARS),
          pause: null,
        }),
      };
    case "content_discarded":
      return { agent: event.agent, apply: (before) => ({ ...before, chars: 0, tail: "", pause: event.reason }) };
    case "tool_start":
      return { agent: event.agent, apply: (before) => ({ ...before, pause: `runs ${event.name}` }) };
    case "tool_progress":
      return { agent: event.agent, apply: (before) => ({ ...before, pause: event.note }) };
    case "gate":
      return { agent: event.agent, apply: (before) => ({ ...before, gate: event.held ? event.gate : null }) };
    default:
      return null;
  }
}
