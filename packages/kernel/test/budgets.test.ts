import type { BudgetLimits, CoordinationEvent, Usage } from "@massgen/contracts";
import { decide, evolve, initialState, outstanding, type Policy, type RunState, type Signal, spendingOf } from "@massgen/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyWith, start, table } from "./play.js";

const noLimits: BudgetLimits = {
  maxTotalTokens: null,
  maxTotalCostUsd: null,
  maxLlmCalls: null,
  maxAgentTokens: null,
  maxAgentCostUsd: null,
  maxRoundCostUsd: null,
  warnAt: 0.8,
  reserveForFinal: 0.15,
};
const budget = (limits: Partial<BudgetLimits>): { readonly budget: BudgetLimits } => ({ budget: { ...noLimits, ...limits } });

const usage = (tokens: number, costUsd: number | null = null): Usage => ({
  inputTokens: tokens,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd,
});

const requestBy = (state: RunState, agent: string, tokens = 100, text = ""): Signal => ({
  type: "request_offered",
  fact: {
    type: "llm_call",
    agent,
    round: state.phase === "presenting" ? (state.presentationRound ?? 0) : (state.agents[agent]?.round ?? 0),
    callId: `call ${state.seq}`,
    purpose: state.phase === "presenting" ? "presentation" : "work",
    status: "started",
    ttftMs: null,
    durationMs: null,
    message: null,
  },
  inputTokens: tokens,
  maxOutputTokens: 0,
  text,
});

function spendingTable(ids: readonly string[], limits: Partial<BudgetLimits>, mode: "voting" | "single" = "voting") {
  const run = table(ids, { ...budget(limits), deferVotingUntilAllAnswered: false }, mode);
  return {
    ...run,
    ask: (agent: string, tokens = 100, text = "") => run.send(requestBy(run.state, agent, tokens, text)),
    spend: (agent: string, tokens: number, costUsd: number | null = null) =>
      run.send({ type: "usage_reported", agent, round: run.state.agents[agent]?.round ?? 0, usage: usage(tokens, costUsd) }),
    answer: (agent: string, content: string) =>
      run.send({
        type: "answer_offered",
        agent,
        round: run.state.agents[agent]?.round ?? 0,
        content,
        fingerprint: content,
        snapshot: null,
      }),
    vote: (agent: string, target: string) =>
      run.send({ type: "vote_offered", agent, round: run.state.agents[agent]?.round ?? 0, target, reason: "r", confidence: null }),
    now: () => run.state,
  };
}

const types = (facts: readonly CoordinationEvent[]): readonly string[] => facts.map((fact) => fact.type);
const of = <T extends CoordinationEvent["type"]>(facts: readonly CoordinationEvent[], type: T) =>
  facts.filter((fact): fact is Extract<CoordinationEvent, { type: T }> => fact.type === type);

describe("a budget", () => {
  it("is on record at the start, and a request that fits is recorded before it is sent", () => {
    const run = spendingTable(["ada", "bob"], { maxTotalTokens: 1_000 });
    expect(of(run.facts, "budget_set")).toMatchObject([{ limits: { maxTotalTokens: 1_000 } }]);
    expect(types(run.ask("ada"))).toEqual(["llm_call"]);
  });

  it("EC77: when coordination reaches it, no new rounds begin, the best stored answer is final, the status is budget", () => {
    const run = spendingTable(["ada", "bob"], { maxTotalTokens: 1_000 });
    run.ask("ada");
    run.answer("ada", "LRU");
    run.spend("ada", 840);
    const facts = run.ask("bob", 50);
    expect(of(facts, "budget_exceeded")).toMatchObject([
      { agent: "bob", scope: "run", unit: "tokens", used: 840, limit: 1_000, requested: 50, consequence: "run_ends" },
    ]);
    expect(types(facts)).not.toContain("round_started");
    const again = run.ask("ada", 50);
    expect(of([...facts, ...again], "presentation_finished")).toMatchObject([{ agent: "ada", content: "LRU", fallback: "skipped" }]);
    expect(of([...facts, ...again], "run_finished")).toMatchObject([{ status: "budget", winner: "ada" }]);
  });

  it("keeps its reserve for the final answer", () => {
    const run = spendingTable(["ada", "bob"], { maxTotalTokens: 1_000, reserveForFinal: 0.5 });
    run.answer("ada", "LRU");
    run.answer("bob", "LFU");
    run.spend("ada", 450);
    run.vote("ada", "agent1");
    run.spend("bob", 300);
    const decided = run.vote("bob", "agent1");
    expect(types(decided)).toContain("presentation_started");
    expect(types(run.ask("ada", 249))).toEqual(["llm_call"]);
  });

  it("keeps nothing where the chosen answer is final as it stands", () => {
    const run = table(["ada", "bob"], { ...budget({ maxTotalTokens: 1_000, reserveForFinal: 0.5 }), finalAnswer: "reuse" });
    expect(run.send(requestBy(run.state, "ada", 900)).map((fact) => fact.type)).toEqual(["llm_call"]);
  });

  it("does without a presentation it cannot pay for", () => {
    const run = spendingTable(["ada", "bob"], { maxTotalTokens: 1_000 });
    run.answer("ada", "LRU");
    run.answer("bob", "LFU");
    run.vote("ada", "agent1");
    run.spend("bob", 600);
    run.vote("bob", "agent1");
    const facts = run.ask("ada", 401, "half a sentence");
    expect(of(facts, "budget_exceeded")).toMatchObject([{ consequence: "stored_answer" }]);
    expect(of(facts, "presentation_finished")).toMatchObject([{ content: "LRU", partial: "half a sentence" }]);
    expect(of(facts, "run_finished")).toMatchObject([{ status: "budget" }]);
  });

  it("counts calls, retries included", () => {
    const run = spendingTable(["ada", "bob"], { maxLlmCalls: 3, reserveForFinal: 0 });
    run.ask("ada");
    const request = requestBy(run.now(), "ada");
    if (request.type === "request_offered") run.send({ type: "activity_reported", fact: { ...request.fact, status: "retrying" } });
    expect(types(run.ask("bob"))).toEqual(["llm_call", "budget_warning"]);
    expect(of(run.ask("bob"), "budget_exceeded")).toMatchObject([{ unit: "calls", used: 3, limit: 3, requested: 1 }]);
  });

  it("of an agent: the last part is for votes, then it abstains and is not asked again", () => {
    const run = spendingTable(["ada", "bob", "cleo"], { maxAgentTokens: 1_000 });
    run.answer("ada", "LRU");
    run.answer("bob", "LFU");
    expect(of(run.spend("ada", 850), "budget_exceeded")).toMatchObject([{ agent: "ada", scope: "agent", consequence: "vote_only" }]);
    expect(of(run.answer("ada", "ARC"), "answer_rejected")).toMatchObject([{ code: "answer_limit" }]);
    expect(types(run.ask("ada", 100))).toEqual(["llm_call"]);
    const refused = run.ask("ada", 200);
    expect(of(refused, "budget_exceeded")).toMatchObject([{ consequence: "agent_stops" }]);
    expect(of(refused, "agent_abstained")).toMatchObject([{ agent: "ada", code: "budget" }]);
    const later = run.answer("cleo", "2Q");
    expect(of(later, "round_started").map((fact) => fact.agent)).not.toContain("ada");
    expect(of(later, "agent_abstained")).toMatchObject([{ agent: "ada" }]);
  });

  it("of a round ends that round only", () => {
    const run = spendingTable(["ada", "bob"], { maxRoundCostUsd: 0.5 });
    run.answer("bob", "LFU");
    run.spend("ada", 10, 0.5);
    expect(of(run.ask("ada", 1), "budget_exceeded")).toMatchObject([{ scope: "round", consequence: "round_ends" }]);
    expect(run.agent("ada").standing).toBe("abstained");
    const next = run.answer("bob", "ARC");
    expect(of(next, "round_started").map((fact) => fact.agent)).toContain("ada");
    expect(types(run.ask("ada", 1))).toEqual(["llm_call"]);
  });

  it("warns once per limit, and says once that a price is unknown", () => {
    const run = spendingTable(["ada", "bob"], { maxTotalTokens: 1_000, maxTotalCostUsd: 1 });
    run.spend("ada", 800);
    run.spend("ada", 1);
    run.spend("bob", 1);
    expect(of(run.facts, "budget_warning")).toMatchObject([{ agent: null, scope: "run", unit: "tokens", used: 800 }]);
    expect(of(run.facts, "price_unknown").map((fact) => fact.agent)).toEqual(["ada", "bob"]);
  });

  it("of one agent alone: what it said last is kept, with the status budget", () => {
    const run = spendingTable(["ada"], { maxAgentTokens: 100 }, "single");
    run.spend("ada", 100);
    const facts = run.ask("ada", 1, "so far");
    expect(of(facts, "presentation_finished")).toMatchObject([{ content: "so far" }]);
    expect(of(facts, "run_finished")).toMatchObject([{ status: "budget" }]);
  });
});

describe("any run with a budget", { timeout: 60_000 }, () => {
  const limit = (max: number): fc.Arbitrary<number | null> => fc.option(fc.integer({ min: 1, max }), { nil: null });
  const budgets: fc.Arbitrary<BudgetLimits> = fc.record({
    maxTotalTokens: limit(20_000),
    maxTotalCostUsd: limit(20),
    maxLlmCalls: limit(30),
    maxAgentTokens: limit(8_000),
    maxAgentCostUsd: limit(8),
    maxRoundCostUsd: limit(3),
    warnAt: fc.constantFrom(0, 0.5, 0.8, 1),
    reserveForFinal: fc.constantFrom(0, 0.15, 0.5),
  });

  it("ends, and passes no limit by more than one request of each agent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        budgets,
        fc.array(fc.nat(1_000), { minLength: 4, maxLength: 40 }),
        (agents, limits, numbers) => {
          const ids = Array.from({ length: agents }, (_, index) => `a${index}`);
          const ended = spendAtRandom(ids, policyWith({ budget: limits, maxAnswersPerAgent: 4 }), numbers);
          expect(ended.state.phase).toBe("finished");
          const { spending } = ended.state;
          const largest = (ids: readonly string[], unit: "tokens" | "cost"): number =>
            ids.reduce((sum, id) => sum + (ended.largest.get(id)?.[unit] ?? 0), 0);
          if (limits.maxTotalTokens !== null) expect(spending.tokens).toBeLessThanOrEqual(limits.maxTotalTokens + largest(ids, "tokens"));
          if (limits.maxTotalCostUsd !== null)
            expect(spending.costUsd).toBeLessThanOrEqual(limits.maxTotalCostUsd + largest(ids, "cost") + 1e-6);
          if (limits.maxLlmCalls !== null) expect(spending.calls).toBeLessThanOrEqual(limits.maxLlmCalls);
          for (const id of ids) {
            const own = spendingOf(spending, id);
            if (limits.maxAgentTokens !== null) expect(own.tokens).toBeLessThanOrEqual(limits.maxAgentTokens + largest([id], "tokens"));
            if (limits.maxAgentCostUsd !== null)
              expect(own.costUsd).toBeLessThanOrEqual(limits.maxAgentCostUsd + largest([id], "cost") + 1e-6);
          }
          const warned = ended.facts.flatMap((fact) =>
            fact.type === "budget_warning" && fact.scope !== "round" ? [`${fact.scope} ${fact.unit} ${fact.agent}`] : [],
          );
          expect(new Set(warned).size).toBe(warned.length);
        },
      ),
      { numRuns: 600 },
    );
  });
});

/** Agents that ask, spend what they like, and answer or vote; several requests are under way at once. */
function spendAtRandom(ids: readonly string[], policy: Policy, numbers: readonly number[]) {
  let state = initialState;
  let drawn = 0;
  const draw = (below: number): number => (((numbers[drawn % numbers.length] ?? 0) + drawn++ * 7_919) >>> 0) % below;
  const facts: CoordinationEvent[] = [];
  const underWay = new Map<string, number>();
  const largest = new Map<string, { readonly tokens: number; readonly cost: number }>();
  const take = (signal: Signal): readonly CoordinationEvent[] => {
    const given = decide(state, signal, policy);
    state = given.reduce(evolve, state);
    facts.push(...given);
    return given;
  };
  take(start(ids, ids.length === 1 ? "single" : "voting"));
  for (let step = 0; state.phase !== "finished" && step < 5_000; step++) {
    const work = outstanding(state, policy).filter((effect) => effect.kind === "run_round" || effect.kind === "present");
    const effect = work[draw(work.length)];
    if (effect === undefined) break;
    const { agent } = effect;
    if (!underWay.has(agent)) {
      const admitted = take(requestBy(state, agent, draw(500), "text")).some((fact) => fact.type === "llm_call");
      if (admitted) underWay.set(agent, effect.round);
      continue;
    }
    const [tokens, cost] = [draw(3_000), draw(100) / 50];
    const before = largest.get(agent) ?? { tokens: 0, cost: 0 };
    largest.set(agent, { tokens: Math.max(before.tokens, tokens), cost: Math.max(before.cost, cost) });
    take({ type: "usage_reported", agent, round: underWay.get(agent) ?? 0, usage: usage(tokens, draw(9) === 0 ? null : cost) });
    underWay.delete(agent);
    const at = { agent, round: effect.round };
    if (effect.kind === "present") take({ type: "presented", agent, content: "final" });
    else if (draw(3) === 0) take({ type: "vote_offered", ...at, target: `agent${draw(ids.length) + 1}`, reason: "r", confidence: null });
    else if (draw(3) > 0) take({ type: "answer_offered", ...at, content: `answer ${step}`, fingerprint: `${step}`, snapshot: null });
  }
  return { state, facts, largest };
}
