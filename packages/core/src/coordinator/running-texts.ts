import type { AgentId, Delta } from "@massgen/contracts";

/** What each agent has streamed in its running response: the source of a salvaged answer, and of a partial presentation. */
export interface RunningTexts {
  collect(delta: Delta): void;
  /** The agent's work is over; its text is no longer running. */
  forget(agent: AgentId): void;
  all(): Readonly<Record<AgentId, string>>;
}

export function createRunningTexts(): RunningTexts {
  const texts = new Map<AgentId, string>();
  return {
    collect(delta) {
      if (delta.type === "response_started" || delta.type === "content_discarded") texts.set(delta.agent, "");
      if (delta.type === "content_delta") texts.set(delta.agent, (texts.get(delta.agent) ?? "") + delta.text);
    },
    forget(agent) {
      texts.delete(agent);
    },
    all: () => Object.fromEntries(texts),
  };
}
