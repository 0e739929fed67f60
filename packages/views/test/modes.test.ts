import type { AgentCard, CoordinationEvent, Recorded, RunMode } from "@massgen/contracts";
import { decide, defaultPolicy, evolve, initialState, type Policy, type Signal } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { coordinationTable, decisionReport, decisionText, ruleText, statusReport } from "../src/index.js";
import { cellWidth } from "./cell-width.js";
import { statusContext, viewOf } from "./fold.js";

const cards = ["ada", "bob"].map((id, index): AgentCard => ({ id, anon: `agent${index + 1}`, backend: "b", model: `m${index}` }));
const answer = (agent: string, round: number, content: string): Signal => ({
  type: "answer_offered",
  agent,
  round,
  content,
  fingerprint: content,
  snapshot: null,
});
const stop = (agent: string): Signal => ({ type: "stop_offered", agent, round: 1, summary: "fits | the rest", status: "complete" });

/** The records a run of these signals leaves, ten seconds apart. */
function recordsOf(mode: RunMode, signals: readonly Signal[], change: Partial<Policy> = {}): readonly Recorded[] {
  const policy = { ...defaultPolicy, ...change };
  const subtasks = { ada: "the facts", bob: "the plan" };
  let state = initialState;
  const all: readonly Signal[] = [
    { type: "start", question: "q", agents: cards, seed: 1, mode, ...(mode === "decomposition" ? { subtasks } : {}) },
    ...signals,
  ];
  const facts = all.flatMap((signal): readonly CoordinationEvent[] => {
    const decision = decide(state, signal, policy);
    state = decision.reduce(evolve, state);
    return decision;
  });
  return facts.map((fact, index): Recorded => ({ seq: index + 1, at: 1_000 * index, runId: "r", decision: index, closes: true, ...fact }));
}

describe("what is said of a run without votes", () => {
  const parts = recordsOf("decomposition", [answer("ada", 0, "a"), answer("bob", 0, "b"), stop("ada"), stop("bob")]);

  it("decomposition: who worked on what, how it ended, and who puts it together", () => {
    const view = viewOf(parts);
    expect(ruleText(view)).toBe("Each agent worked on a part of its own; agent2 (bob) puts the parts together.");
    expect(decisionText(view, { cellWidth })).toContain("- **agent1 (ada)**: the facts — complete: fits | the rest");
    expect(decisionReport(view)?.parts).toMatchObject([
      { agent: "ada", subtask: "the facts", status: "complete", stopped_by: "agent" },
      { agent: "bob", subtask: "the plan" },
    ]);
    expect(statusReport(view, statusContext).agents["ada"]).toMatchObject({
      subtask: "the facts",
      stopped: { status: "complete", summary_preview: "fits | the rest" },
    });
    const table = coordinationTable(parts, { cellWidth });
    expect(table).toContain("✅ DONE: complete");
    expect(table).toContain("🏆 Agent 2 (bob) PRESENTS");
    expect(table).not.toContain("0 votes");
  });

  it("a sequential workflow: the last stage, and what a broken one leaves", () => {
    expect(ruleText(viewOf(recordsOf("sequential", [answer("ada", 0, "a"), answer("bob", 0, "b")])))).toBe(
      "The agents worked one after another; agent2.1, of the last of 2 stages, is the result.",
    );
    const broken: Signal = { type: "round_failed", agent: "bob", round: 0, kind: "backend_fatal", message: "401", text: "" };
    expect(ruleText(viewOf(recordsOf("sequential", [answer("ada", 0, "a"), broken])))).toBe(
      "The agents worked one after another; stage 2 of 2 delivered nothing, so agent1.1 of the stage before is the result.",
    );
  });

  it("no voting: nobody was asked, and nothing a vote might have changed is claimed", () => {
    const view = viewOf(recordsOf("voting", [answer("ada", 0, "a"), answer("bob", 0, "b")], { skipVoting: true }));
    expect(ruleText(view)).toBe("Nobody was asked to vote, so the newest answer, agent2.1, was taken.");
    expect(decisionReport(view)?.counterfactual).toBeNull();
  });

  it("no coordination: there is no label", () => {
    const view = viewOf(recordsOf("voting", [], { skipCoordination: true }));
    expect(decisionReport(view)).toMatchObject({ winner: "ada", winner_label: null, selection: "skipped" });
    expect(ruleText(view)).toBe("Coordination was skipped: the first agent answers at once.");
  });
});
