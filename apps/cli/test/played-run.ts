import type { AgentId, Recorded } from "@massgen/contracts";
import { decide, defaultPolicy, evolve, initialState, type Policy, type RunState, type Signal } from "@massgen/kernel";
import { startOf } from "@massgen/testing/kernel";

export interface PlayedRun {
  readonly records: readonly Recorded[];
  readonly state: () => RunState;
  /** Seconds after the start of what comes next. */
  readonly at: (seconds: number) => PlayedRun;
  readonly say: (signal: Signal) => PlayedRun;
  readonly answer: (agent: AgentId, content: string) => PlayedRun;
  readonly vote: (agent: AgentId, target: string, reason: string) => PlayedRun;
  readonly fail: (agent: AgentId, message: string, kind?: "backend_transient" | "backend_fatal") => PlayedRun;
  readonly present: (content: string) => PlayedRun;
}

const START = Date.UTC(2026, 0, 2, 9, 15, 30);

/** A run judged by the real kernel: claims in, records out. */
export function playedRun(
  ids: readonly AgentId[],
  options: { readonly question?: string; readonly policy?: Partial<Policy> } = {},
): PlayedRun {
  const policy: Policy = { ...defaultPolicy, ...options.policy };
  const records: Recorded[] = [];
  let state = initialState;
  let now = START;
  const roundOf = (agent: AgentId): number => Math.max(0, state.agents[agent]?.round ?? 0);
  const run: PlayedRun = {
    records,
    state: () => state,
    at: (seconds) => {
      now = START + seconds * 1000;
      return run;
    },
    say: (signal) => {
      const facts = decide(state, signal, policy);
      if (facts.length === 0) throw new Error(`the kernel made nothing of ${JSON.stringify(signal)}`);
      for (const [place, fact] of facts.entries()) {
        records.push({
          seq: records.length + 1,
          at: now,
          runId: "20260102_101530_abcdef",
          decision: records.length,
          closes: place === facts.length - 1,
          ...fact,
        });
        state = evolve(state, fact);
      }
      return run;
    },
    answer: (agent, content) =>
      run.say({ type: "answer_offered", agent, round: roundOf(agent), content, fingerprint: content, snapshot: null }),
    vote: (agent, target, reason) => run.say({ type: "vote_offered", agent, round: roundOf(agent), target, reason, confidence: null }),
    fail: (agent, message, kind = "backend_fatal") =>
      run.say({ type: "round_failed", agent, round: roundOf(agent), kind, message, text: "" }),
    present: (content) => run.say({ type: "presented", agent: state.decision?.winner ?? "", content }),
  };
  const start = startOf(ids);
  return run.say(start.type === "start" && options.question !== undefined ? { ...start, question: options.question } : start);
}

/** A team of three in which a better answer voids a vote, and one agent dissents to the end. */
export function sampleRun(): PlayedRun {
  const run = playedRun(["ada", "bob", "cleo"], { question: "Which cache policy fits?" });
  run.at(4).answer("ada", "Use LRU.\n\nIt is simple and good enough for most loads.");
  run.at(5).answer("bob", "Use LFU.");
  run.at(7.5).answer("cleo", "Use ARC: it adapts between recency and frequency.");
  run.at(9).vote("ada", "agent3", "Adapts by itself");
  run.at(12).answer("bob", "Use W-TinyLFU: small, scan-resistant, close to optimal.");
  run.at(13).say({ type: "update_delivered", agent: "cleo", round: run.state().agents["cleo"]?.round ?? 0, labels: ["agent2.2"] });
  run.at(14).vote("ada", "agent2", "Best hit rates of all");
  run.at(15).vote("bob", "agent2", "I checked it against the traces");
  run.at(16).vote("cleo", "agent3", "Simpler to explain");
  return run.at(19.4).present("# W-TinyLFU\n\nUse it.");
}
