import { requireConfig, validateConfig } from "@massgen/config";
import { describe, expect, it } from "vitest";
import { modeFromConfig } from "../src/mode-from-config.js";

const modeOf = (agents: number, orchestrator: object): string =>
  modeFromConfig(
    requireConfig(
      validateConfig({
        agents: Array.from({ length: agents }, (_, index) => ({
          id: `a${index}`,
          subtask: `part ${index}`,
          backend: { type: "ollama", model: "m" },
        })),
        orchestrator,
      }),
    ),
  );

describe("how the agents of a config work together", () => {
  it.each([
    [1, {}, "single"],
    [1, { max_rounds: 1 }, "single"],
    [1, { max_rounds: 2 }, "refine"],
    [1, { max_new_answers_per_agent: 2 }, "refine"],
    [1, { answer_novelty_requirement: "strict" }, "refine"],
    [1, { coordination: { max_orchestration_restarts: 1 } }, "refine"],
    [1, { max_rounds: 3, single_agent_mode: "direct" }, "single"],
    [1, { single_agent_mode: "refine" }, "refine"],
    [1, { workflow: "sequential" }, "single"],
    [2, {}, "voting"],
    [2, { single_agent_mode: "refine" }, "voting"],
    [2, { coordination_mode: "decomposition" }, "decomposition"],
    [2, { workflow: "sequential" }, "sequential"],
    [2, { workflow: "sequential", coordination_mode: "decomposition" }, "sequential"],
  ])("%i agents with %j: %s", (agents, orchestrator, mode) => expect(modeOf(agents, orchestrator)).toBe(mode));
});
