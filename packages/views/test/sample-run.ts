import type { AgentCard, AgentId, EpochMillis, Recorded, RunMode } from "@massgen/contracts";
import { decide, defaultPolicy, evolve, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";

/** 2026-01-02 10:15:29.880 at UTC+1. */
export const START: EpochMillis = Date.UTC(2026, 0, 2, 9, 15, 29, 880);

export interface SampleRun {
  readonly records: readonly Recorded[];
  readonly state: RunState;
  /** Seconds after the start at which the next claim comes. */
  at(seconds: number): SampleRun;
  /** Puts a claim to the kernel and keeps the facts it leads to. */
  say(signal: Signal): SampleRun;
  answer(agent: AgentId, content: string): SampleRun;
  vote(agent: AgentId, target: string, reason: string, confidence?: number): SampleRun;
  spend(agent: AgentId, inputTokens: number, outputTokens: number, costUsd: number | null): SampleRun;
  fail(agent: AgentId, kind: "backend_transient" | "backend_fatal" | "protocol", message: string, text?: string): SampleRun;
  /** A request to the model, from `seconds` before now until now. */
  call(agent: AgentId, seconds: number, outcome?: { readonly ok: boolean; readonly message: string | null }): SampleRun;
  tool(agent: AgentId, name: string, ok?: boolean): SampleRun;
  present(content: string): SampleRun;
}

export interface SampleRunOptions {
  readonly policy?: Partial<Policy>;
  readonly question?: string;
  readonly mode?: RunMode;
  readonly runId?: string;
}

const MODELS = ["gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-flash"];
const BACKENDS = ["openai", "claude", "gemini"];

export const cardsFor = (ids: readonly AgentId[]): readonly AgentCard[] =>
  ids.map((id, place) => ({ id, anon: `agent${place + 1}`, backend: BACKENDS[place % 3]!, model: MODELS[place % 3]! }));

/** A run played by the real kernel: claims in, facts out, each with a time. */
export function sampleRun(ids: readonly AgentId[], options: SampleRunOptions = {}): SampleRun {
  const { question = "Compare two caching strategies", mode = "voting", runId = "20260102_101529_k7q2mz" } = options;
  const policy: Policy = { ...defaultPolicy, ...options.policy };
  const records: Recorded[] = [];
  let state: RunState = initialState;
  let now = START;
  let decisions = 0;
  let calls = 0;

  const roundOf = (agent: AgentId): number => Math.max(0, state.agents[agent]?.round ?? 0);

  const run: SampleRun = {
    records,
    get state() {
      return state;
    },
    at(seconds) {
      now = START + Math.round(seconds * 1000);
      return run;
    },
    say(signal) {
      const facts = decide(state, signal, policy);
      if (facts.length === 0) throw new Error(`the kernel made nothing of ${JSON.stringify(signal)}`);
      decisions += 1;
      for (const [place, fact] of facts.entries()) {
        records.push({ seq: records.length + 1, at: now, runId, decision: decisions, closes: place === facts.length - 1, ...fact });
        state = evolve(state, fact);
      }
      return run;
    },
    answer: (agent, content) =>
      run.say({ type: "answer_offered", agent, round: roundOf(agent), content, fingerprint: content.toLowerCase(), snapshot: null }),
    vote: (agent, target, reason, confidence) =>
      run.say({ type: "vote_offered", agent, round: roundOf(agent), target, reason, confidence: confidence ?? null }),
    spend: (agent, inputTokens, outputTokens, costUsd) =>
      run.say({
        type: "usage_reported",
        agent,
        round: roundOf(agent),
        usage: { inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0, costUsd },
      }),
    fail: (agent, kind, message, text = "") => run.say({ type: "round_failed", agent, round: roundOf(agent), kind, message, text }),
    call(agent, seconds, { ok, message } = { ok: true, message: null }) {
      calls += 1;
      const common = { type: "llm_call", agent, round: roundOf(agent), callId: `call_${calls}`, purpose: "work" } as const;
      const end = now;
      now = end - Math.round(seconds * 1000);
      run.say({ type: "activity_reported", fact: { ...common, status: "started", ttftMs: null, durationMs: null, message: null } });
      now = end;
      const status = ok ? "finished" : "failed";
      return run.say({
        type: "activity_reported",
        fact: { ...common, status, ttftMs: ok ? 420 : null, durationMs: seconds * 1000, message },
      });
    },
    tool(agent, name, ok = true) {
      calls += 1;
      const common = { agent, round: roundOf(agent), callId: `tool_${calls}`, name };
      run.say({ type: "activity_reported", fact: { type: "tool_start", ...common, argsPreview: '{"path":"notes.md"}' } });
      const result = ok ? "12 lines" : "no such file";
      return run.say({
        type: "activity_reported",
        fact: { type: "tool_complete", ...common, ok, durationMs: 35, inputChars: 19, outputChars: result.length, resultPreview: result },
      });
    },
    present: (content) => run.say({ type: "presented", agent: state.decision!.winner, content }),
  };
  return run.say({ type: "start", question, agents: cardsFor(ids), seed: 421_337, mode });
}
