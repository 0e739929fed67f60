import { describe, expect, it } from "vitest";
import { type ConfigOverrides, requireConfig, validateConfig } from "../src/index.js";

const team = (ids: readonly string[], orchestrator: object = {}, overrides: ConfigOverrides = {}) =>
  validateConfig({ agents: ids.map((id) => ({ id, backend: { type: "ollama", model: "m" } })), orchestrator }, { overrides });
const issuesOf = (loaded: ReturnType<typeof team>): readonly string[] => loaded.issues.map(({ code, path }) => `${code} ${path}`);

describe("how agents work together, as configured", () => {
  it.each([
    [{}, "winner_present"],
    [{ skip_final_presentation: true }, "winner_reuse"],
    [{ skip_final_presentation: true, final_answer_strategy: "synthesize" }, "synthesize"],
  ])("%j: the final answer by %s", (orchestrator, strategy) =>
    expect(requireConfig(team(["a", "b"], orchestrator)).orchestrator.finalAnswerStrategy).toBe(strategy),
  );

  it("EC74: what has nothing to decide in a sequential workflow is named, once a key", () => {
    const loaded = team(["a", "b"], { workflow: "sequential", voting_sensitivity: "strict", max_new_answers_global: 3, seed: 1 });
    expect(issuesOf(loaded)).toEqual(["CFG120 orchestrator.voting_sensitivity", "CFG120 orchestrator.max_new_answers_global"]);
    expect(loaded.config).not.toBeNull();
    expect(issuesOf(team(["a"], { workflow: "sequential", voting_sensitivity: "strict" }))).toEqual([]);
  });

  it("decomposition has no effect with one agent, which is told", () => {
    expect(issuesOf(team(["a"], { coordination_mode: "decomposition" }))).toEqual(["CFG120 orchestrator.coordination_mode"]);
  });
});

describe("flags about how agents work together", () => {
  const ids = ["a", "b", "c"];

  it.each<[string | true, readonly string[]]>([
    [true, ["a"]],
    ["b", ["b"]],
  ])("--single-agent %s keeps %j", (singleAgent, kept) =>
    expect(requireConfig(team(ids, {}, { singleAgent })).agents.map(({ id }) => id)).toEqual(kept),
  );

  it("--single-agent leaves a presenter behind who was left out, and no other", () => {
    const presenterOf = (presenter_agent: string): unknown => team(ids, { presenter_agent }, { singleAgent: "b" });
    expect(presenterOf("a")).toMatchObject({ issues: [], config: { orchestrator: { presenterAgent: null } } });
    expect(presenterOf("b")).toMatchObject({ issues: [], config: { orchestrator: { presenterAgent: "b" } } });
    expect(presenterOf("z")).toMatchObject({ issues: [{ code: "CFG084" }] });
  });

  it("--single-agent with an id nobody has is an error that names those there are", () => {
    expect(team(ids, {}, { singleAgent: "d" }).issues).toMatchObject([{ code: "CFG130", hint: "Agents: a, b, c." }]);
  });

  it("--quick is one answer each, merged by the winner of one vote", () => {
    expect(requireConfig(team(ids, {}, { quick: true })).orchestrator).toMatchObject({
      maxNewAnswersPerAgent: 1,
      disableInjection: true,
      deferVotingUntilAllAnswered: true,
      finalAnswerStrategy: "synthesize",
    });
    expect(requireConfig(team(ids, { max_rounds: 1 }, { quick: true, singleAgent: true })).orchestrator).toMatchObject({
      maxNewAnswersPerAgent: 1,
      skipVoting: true,
      finalAnswerStrategy: "winner_reuse",
    });
  });

  it("--coordination-mode parallel is voting, whatever the file says", () => {
    const file = { coordination_mode: "decomposition" };
    expect(requireConfig(team(ids, file, { coordinationMode: "parallel" })).orchestrator.coordinationMode).toBe("voting");
    expect(issuesOf(team(ids, {}, { coordinationMode: "decomposition" }))).toHaveLength(1);
  });
});
