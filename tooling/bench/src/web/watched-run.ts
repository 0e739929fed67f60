import type { CoordinationEvent, Recorded, RunEvent } from "@massgen/contracts";

const QUESTION = "Which cache policy fits a read-heavy service?";
export const agentIds = (count: number): readonly string[] => Array.from({ length: count }, (_, place) => `agent-${place + 1}`);

/** Gives facts their numbers, as one run. */
export function numbered(): (fact: CoordinationEvent) => Recorded {
  let seq = 0;
  return (fact) => {
    seq += 1;
    return { seq, at: 1_767_345_330_000 + seq * 5, runId: "bench", decision: seq, closes: true, ...fact };
  };
}

/** The facts that begin a run of so many agents, all of them at work. */
export const beginning = (agents: readonly string[]): readonly CoordinationEvent[] => [
  {
    type: "run_started",
    question: QUESTION,
    agents: agents.map((id, place) => ({ id, anon: `agent${place + 1}`, backend: "openai", model: "gpt-5-mini" })),
    seed: 1,
    mode: "voting",
  },
  { type: "phase_changed", from: "preparing", to: "coordinating" },
];

/** A finished run of so many facts: tool calls for the most part, as a long run has them, and a final answer. */
export function finishedRun(facts: number): readonly RunEvent[] {
  const agents = agentIds(3);
  const number = numbered();
  const events: RunEvent[] = beginning(agents).map(number);
  while (events.length < facts - 2) {
    const agent = agents[(events.length >> 1) % agents.length]!;
    const callId = `t${events.length >> 1}`;
    if (events.length % 2 === 0)
      events.push(number({ type: "tool_start", agent, round: 0, callId, name: "read_file", argsPreview: '{"path":"src/limits.ts"}' }));
    else
      events.push(
        number({
          type: "tool_complete",
          agent,
          round: 0,
          callId: `t${(events.length - 1) >> 1}`,
          name: "read_file",
          ok: true,
          durationMs: 3,
          inputChars: 40,
          outputChars: 2_000,
          resultPreview: "export const limit = 100; // the most a page holds",
        }),
      );
  }
  events.push(number({ type: "phase_changed", from: "coordinating", to: "finished" }));
  events.push(number({ type: "run_finished", status: "completed", winner: agents[0]!, message: null }));
  return events;
}

/** What an agent writes: a token of Markdown, by its place. */
export const tokenAt = (place: number): string => {
  if (place % 120 === 119) return "\n\n";
  if (place % 120 === 0) return "## A section\n\n";
  return place % 13 === 0 ? "**bold** " : "token ";
};
