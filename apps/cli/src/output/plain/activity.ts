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
  if (!("agent" in event) || event.agent === null || !Object.hasOwn(changes, event.type)) return activities;
  const before = (Object.hasOwn(activities, event.agent) ? activities[event.agent] : undefined) ?? idle(nowMs);
  // The table has one function per type; a lookup by a union cannot be typed.
  const change = changes[event.type] as (event: RunEvent, before: Activity, nowMs: number) => Activity;
  return { ...activities, [event.agent]: change(event, before, nowMs) };
}

const idle = (sinceMs: number): Activity => ({ chars: 0, tail: "", sinceMs, pause: null, gate: null });

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>;
type Changes = { readonly [T in RunEvent["type"]]?: (event: EventOf<T>, before: Activity, nowMs: number) => Activity };

const streamed = ({ text }: { readonly text: string }, before: Activity): Activity => ({
  ...before,
  chars: before.chars + text.length,
  tail: (before.tail + text).slice(-TAIL_CHARS),
  pause: null,
});

const changes: Changes = {
  round_started: (_event, _before, nowMs) => idle(nowMs),
  presentation_started: (_event, _before, nowMs) => idle(nowMs),
  response_started: (_event, before) => ({ ...before, chars: 0, tail: "", pause: null }),
  content_delta: streamed,
  reasoning_delta: streamed,
  content_discarded: ({ reason }, before) => ({ ...before, chars: 0, tail: "", pause: reason }),
  tool_start: ({ name }, before) => ({ ...before, pause: `runs ${name}` }),
  tool_complete: (_event, before) => ({ ...before, pause: null }),
  tool_progress: ({ note }, before) => ({ ...before, pause: note }),
  gate: ({ gate, held }, before) => ({ ...before, gate: held ? gate : null }),
};
