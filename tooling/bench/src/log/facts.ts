import type { CoordinationEvent, Recorded, RunId } from "@massgen/contracts";

const AGENTS = ["ada", "bob", "cleo"] as const;

/** So many decisions of one to six facts without texts of their own, as a run of three makes them. */
export function decisionsOf(runId: RunId, count: number): readonly (readonly Recorded[])[] {
  let seq = 0;
  return Array.from({ length: count }, (_, place) => {
    const facts = place === 0 ? [started] : Array.from({ length: 1 + (place % 6) }, (_, at) => factOf(place, at));
    return facts.map((fact, at) => ({
      seq: ++seq,
      at: 1_767_345_330_000 + seq,
      runId,
      decision: place + 1,
      closes: at === facts.length - 1,
      ...fact,
    }));
  });
}

const started: CoordinationEvent = {
  type: "run_started",
  question: "Which cache policy fits a read-heavy service?",
  agents: AGENTS.map((id, place) => ({ id, anon: `agent${place + 1}`, backend: "openai", model: "gpt-5-mini" })),
  seed: 1,
  mode: "voting",
};

function factOf(place: number, at: number): CoordinationEvent {
  const agent = AGENTS[(place + at) % AGENTS.length]!;
  const round = Math.floor(place / 50);
  if (at === 0)
    return {
      type: "llm_call",
      agent,
      round,
      callId: `c${place}`,
      purpose: "work",
      status: "finished",
      ttftMs: 200,
      durationMs: 2_000,
      message: null,
    };
  if (at === 1)
    return {
      type: "usage_recorded",
      agent,
      round,
      usage: { inputTokens: 1_200, outputTokens: 300, cachedTokens: 800, reasoningTokens: 0, costUsd: 0.001 },
    };
  return {
    type: "tool_complete",
    agent,
    round,
    callId: `t${place}.${at}`,
    name: "read_file",
    ok: true,
    durationMs: 3,
    inputChars: 40,
    outputChars: 2_000,
    resultPreview: "export const limit = 100; // the most a page holds",
  };
}
