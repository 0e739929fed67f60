import { agentOf, decide, evolve, initialState, outstanding, type Policy, type RunState, type Signal } from "@massgen/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chances, policies, startRandomRun } from "./random-run.js";

/** Agents that answer where they must and else vote for the first answer they were shown. */
function playPolitely(from: RunState, policy: Policy, first: Signal | null): RunState {
  let state = from;
  const take = (signal: Signal): void => {
    state = decide(state, signal, policy).reduce(evolve, state);
  };
  if (first !== null) take(first);
  for (let step = 0; state.phase !== "finished" && step < 500; step++) {
    const effect = outstanding(state, policy).find((work) => work.kind !== "timer");
    if (effect === undefined) break;
    const { agent } = effect;
    if (effect.kind === "present") take({ type: "presented", agent, content: "final" });
    else if (effect.kind === "evaluate")
      take({ type: "evaluated", agent, round: effect.round, verdict: "submit", reason: "good", instructions: "" });
    else if (effect.kind === "paraphrase") take({ type: "paraphrasing_failed", agent, message: "503" });
    else if (effect.kind === "divide") take({ type: "division_failed", agent, message: "503" });
    else if (effect.kind === "analyse") take({ type: "analysed", agent, irreversible: false, blockedTools: [], failure: null });
    else if (agentOf(state, agent)?.tools.includes("vote") === true) {
      const seen = state.order.findIndex((id) => (agentOf(state, agent)?.seen[id] ?? 0) > 0);
      take({ type: "vote_offered", agent, round: effect.round, target: `agent${seen + 1}`, reason: "r", confidence: null });
    } else {
      const text = `polite ${agent} ${state.seq}`;
      take({ type: "answer_offered", agent, round: effect.round, content: text, fingerprint: text, snapshot: null });
    }
  }
  return state;
}

/** What nobody may lose, whatever happens to the process. */
const kept = (state: RunState): unknown => ({
  answers: state.answers.map(({ label, content }) => ({ label, content })),
  votes: state.votes,
  standingVotes: state.order.map((id) => agentOf(state, id)?.vote ?? null),
  spending: state.spending,
  spent: state.spent,
  attempt: state.attempt,
});

describe("a run that was cut off", { timeout: 120_000 }, () => {
  it("can be resumed after every single fact: nothing on record is lost or paid twice, and it ends as it could have ended", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), policies, chances, (agents, policy, numbers) => {
        const { decisions } = startRandomRun(agents, policy, numbers);
        let state = initialState;
        for (const facts of decisions) {
          // A cut within these facts tears the decision: what is found is the state before it.
          if (state.phase !== "idle" && state.phase !== "finished") {
            const resumed = decide(state, { type: "resume", lastSeq: state.seq }, policy).reduce(evolve, state);
            if (resumed.phase === state.phase) expect(kept(resumed)).toEqual(kept(state));
            const [after, without] = [playPolitely(resumed, policy, null), playPolitely(state, policy, null)];
            expect(after.phase).toBe("finished");
            expect(after.answers.slice(0, state.answers.length)).toEqual(after.attempt === state.attempt ? state.answers : []);
            expect(CLASS[after.status ?? "error"]).toBe(CLASS[without.status ?? "error"]);
            if (state.decision !== null) expect(after.decision).toEqual(without.decision);
          }
          state = facts.reduce(evolve, state);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** A round begun anew may be the one that finds the budget used up, or the last words of a failed agent gone. */
const CLASS = {
  completed: "answer",
  budget: "answer",
  partial: "answer",
  timeout: "timeout",
  cancelled: "cancelled",
  error: "error",
  tool_calls: "answer",
} as const;
