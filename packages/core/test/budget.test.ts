import type { BudgetLimits } from "@massgen/contracts";
import { newAnswer, text, usage, vote } from "@massgen/testing";
import { describe, expect, it } from "vitest";
import { factsOf, runTeam, type Script, textOf } from "./support/run-team.js";

const budget = (limits: Partial<BudgetLimits>): { readonly budget: BudgetLimits } => ({
  budget: {
    maxTotalTokens: null,
    maxTotalCostUsd: null,
    maxLlmCalls: null,
    maxAgentTokens: null,
    maxAgentCostUsd: null,
    maxRoundCostUsd: null,
    warnAt: 0.8,
    reserveForFinal: 0.15,
    ...limits,
  },
});

/** Answers once, then votes for the first; every response costs ten cents. */
const spender: Script = (request, index) => {
  const seen = textOf(request);
  const said = seen.includes("final result")
    ? text("final")
    : seen.includes("<current_answers>")
      ? vote("agent1", "r")
      : newAnswer(`${index}`);
  return [said, usage({ inputTokens: 900, outputTokens: 100, costUsd: 0.1 })];
};
const team = { ada: spender, bob: spender } as const;

describe("a run with a budget", () => {
  it("asks for every request before it is sent, and is otherwise the same", async () => {
    const { outcome, facts, backends } = await runTeam(team, { policy: budget({ maxTotalCostUsd: 5 }) });
    expect(outcome.status).toBe("completed");
    const started = factsOf(facts, "llm_call").filter((call) => call.status === "started");
    expect(started).toHaveLength(backends["ada"]!.requests.length + backends["bob"]!.requests.length);
  });

  it("EC77: sends nothing that it has no room for, and ends with the stored answer and exit code 5", async () => {
    const { outcome, backends } = await runTeam(team, { policy: budget({ maxLlmCalls: 3 }) });
    expect(outcome).toMatchObject({ status: "budget", exitCode: 5 });
    expect(outcome.finalAnswer).not.toBeNull();
    expect(backends["ada"]!.requests.length + backends["bob"]!.requests.length).toBeLessThanOrEqual(2);
  });

  it("that leaves no room for a single request ends without an answer, and says why", async () => {
    const { outcome, backends } = await runTeam(team, { policy: budget({ maxTotalTokens: 10 }) });
    expect(outcome).toMatchObject({ status: "budget", exitCode: 5, finalAnswer: null });
    expect(outcome.message).toMatch(/budget/);
    expect(backends["ada"]!.requests).toEqual([]);
  });
});
