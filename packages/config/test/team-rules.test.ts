import { describe, expect, it } from "vitest";
import { quickConfig, validateConfig } from "../src/index.js";

const agents = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, backend: { type: "ollama", model: "m" } }));

const told = (coordination: object, count = 1): readonly string[] =>
  validateConfig({ agents: agents(count), orchestrator: { coordination } })
    .issues.filter(({ code }) => !/^CFG12[01]$/.test(code))
    .map(({ code, message }) => `${code} ${message}`);

const whole = {
  orchestrator_managed_round_evaluator: true,
  round_evaluator_before_checklist: true,
  round_evaluator_refine: true,
  enable_execution_trace_analyzer: true,
  enable_subagents: true,
  subagent_orchestrator: { enabled: true },
  subagent_types: ["critic", "round_evaluator"],
};

describe("the round evaluator", () => {
  it("with all it needs is in order", () => {
    expect(told(whole)).toEqual([]);
  });

  it.each([
    ["round_evaluator_before_checklist", false, ["'orchestrator_managed_round_evaluator' needs 'round_evaluator_before_checklist'"]],
    [
      "orchestrator_managed_round_evaluator",
      false,
      ["round_evaluator_before_checklist", "round_evaluator_refine", "enable_execution_trace_analyzer"].map(
        (key) => `'${key}' needs 'orchestrator_managed_round_evaluator'`,
      ),
    ],
    ["enable_subagents", false, ["'round_evaluator_before_checklist' needs 'enable_subagents'"]],
    ["subagent_orchestrator", { enabled: false }, ["'round_evaluator_before_checklist' needs 'subagent_orchestrator'"]],
    ["subagent_types", ["critic"], ["'round_evaluator_before_checklist' needs 'round_evaluator' among 'subagent_types'"]],
    ["round_evaluator_skip_synthesis", true, ["'round_evaluator_before_checklist' does not go with 'round_evaluator_skip_synthesis'"]],
  ])("with %s: %j is refused", (key, value, messages) => {
    expect(told({ ...whole, [key]: value })).toEqual(messages.map((message) => `CFG088 ${message}`));
  });

  it("is for one agent", () => {
    expect(told(whole, 2)).toEqual(["CFG088 'round_evaluator_before_checklist' is for one agent, and there are 2"]);
  });
});

describe("other rules between keys", () => {
  it("times of subagents are compared with the defaults of those that are not given", () => {
    expect(told({ subagent_max_timeout: 30 })).toEqual([
      "CFG087 subagents get at least 60 seconds and at most 30: there is no time between them",
    ]);
    expect(told({ subagent_min_timeout: 10, subagent_max_timeout: 10 })).toEqual([]);
  });

  it("scripts of skills run where one agent has commands", () => {
    const team = [
      { id: "a", backend: { type: "ollama", model: "m" } },
      { id: "b", backend: { type: "ollama", model: "m", cwd: "work", enable_mcp_command_line: true } },
    ];
    const { issues } = validateConfig({ agents: team, orchestrator: { coordination: { use_skills: true } } });
    expect(issues.map(({ code }) => code)).not.toContain("CFG086");
  });

  it("a program with files of its own gets a folder in a quick run, and needs one in a file, empty or not", () => {
    expect(quickConfig({ backend: "claude_code" }).issues).toEqual([]);
    const codes = (cwd: unknown): readonly string[] =>
      validateConfig({ agents: [{ id: "a", backend: { type: "codex", cwd } }] }).issues.map(({ code }) => code);
    expect([codes(null), codes(""), codes("work")]).toEqual([["CFG046"], ["CFG073"], []]);
  });

  it.each([
    ["claude_code", "audio_path", "talk.mp3", "'claude_code' cannot take audio files"],
    ["openai", "audio_path", "talk.ogg?x=1", "'openai' cannot take '.ogg' files"],
    ["groq", "file_path", "https://example.org/a.webm", "'groq' cannot take video files"],
    ["openrouter", "video_path", "a.mp4", null],
    ["openai", "audio_path", "talk.WAV", null],
    ["groq", "file_path", "notes.pdf", null],
    ["groq", "file_path", "notes", null],
  ])("%s with %s: %s", (type, key, file, message) => {
    const { issues } = validateConfig({ agents: [{ id: "a", backend: { type, model: "m", upload_files: [{ [key]: file }] } }] });
    expect(issues.find(({ code }) => code === "CFG056")?.message ?? null).toBe(message);
  });
});
