// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { type ExplainedValue, explainConfig, type ParseOptions, parseConfig, selectValues, shownConfig } from "../src/index.js";
import { sampleTexts } from "./sample-configs.js";

const KEY = "sk-live-1234567890abcdef";
const text = `agents:
  - id: ada
    temperature: 0.3
    backend:
      type: OpenAI
      model: \${MODEL}
      api_key: ${KEY}
  - backend: {type: groq, headers: {x-team: hidden}, base_url: "https://user:pass@host.example/v1"}
    id: bob.jr
display:
  type: simple
orchestrator: {max_rounds: 4, tie_break: [confidence, peer_votes]}
`;

function explained(yaml: string, options: ParseOptions = {}): readonly ExplainedValue[] {
  return explainConfig(parseConfig(yaml, { file: "team.yaml", ...options }), options.env ?? {});
}
const values = explained(text, { env: { MODEL: "gpt-5-mini-of-the-environment", GROQ_API_KEY: "gsk_0123456789" } });
const at = (path: string, from = values): ExplainedValue | undefined => from.find((value) => value.path === path);

describe("where a value comes from", () => {
  it("is the line and column of the file, with what stands there when it counts as something else", () => {
    expect(at("agents[0].backend.type")).toEqual({
      path: "agents[0].backend.type",
      value: "openai",
      origin: { is: "file", file: "team.yaml", line: 5, column: 13, key: null, written: "OpenAI", variables: [] },
    });
    expect(at("agents[0].backend.temperature")?.origin).toMatchObject({ line: 3, column: 18, key: "agents[0].temperature" });
    expect(at("ui.display_type")?.origin).toMatchObject({ line: 11, key: "display.type" });
    expect(at("orchestrator.tie_break")?.value).toEqual(["confidence", "peer_votes"]);
  });

  it("names variables and never shows what they hold", () => {
    expect(at("agents[0].backend.model")).toMatchObject({ value: "${MODEL}", origin: { is: "file", variables: ["MODEL"] } });
    expect(at("agents[1].backend.api_key")).toEqual({
      path: "agents[1].backend.api_key",
      value: "[REDACTED]",
      origin: { is: "environment", variables: ["GROQ_API_KEY"] },
    });
    expect(at("agents[0].backend.api_key", explained("agent: {id: a, backend: {type: groq}}"))).toMatchObject({
      value: null,
      origin: { variables: ["GROQ_API_KEY"] },
    });
  });

  it("is the default for what nobody gave", () => {
    expect(at("orchestrator.voting_sensitivity")).toEqual({
      path: "orchestrator.voting_sensitivity",
      value: "lenient",
      origin: { is: "default" },
    });
    expect(at("orchestrator.coordination.max_orchestration_restarts")?.value).toBe(0);
    expect(at("timeout_settings.orchestrator_timeout_seconds")?.value).toBe(1_800);
    expect(at("agents[1].backend.max_retries")?.value).toBe(3);
  });

  it("is the flag that won, also where one flag stands for several keys", () => {
    const flagged = explained("agent: {id: a, backend: {type: openai, model: gpt-5}}\norchestrator: {max_new_answers_per_agent: 5}\n", {
      overrides: { model: "gpt-5-mini", quick: true, orchestratorTimeoutSeconds: 60 },
    });
    expect(at("agents[0].backend.model", flagged)).toMatchObject({ value: "gpt-5-mini", origin: { is: "override", override: "model" } });
    expect(at("orchestrator.max_new_answers_per_agent", flagged)).toMatchObject({ value: 1, origin: { override: "quick" } });
    expect(at("timeout_settings.orchestrator_timeout_seconds", flagged)?.origin).toMatchObject({ override: "orchestratorTimeoutSeconds" });
  });

  it("says of an id or a type that nobody wrote that it follows from others", () => {
    const inferred = explained("agents: [{backend: {model: gpt-5-nano}}]");
    expect(at("agents[0].id", inferred)).toMatchObject({ value: "agent1", origin: { is: "derived" } });
    expect(at("agents[0].backend.type", inferred)).toMatchObject({ value: "openai", origin: { is: "derived" } });
  });

  it("holds no secret, in the values and in the normalised config", () => {
    const loaded = parseConfig(text, { env: { MODEL: "gpt-5-mini-of-the-environment" } });
    for (const shown of [JSON.stringify(values), JSON.stringify(shownConfig(loaded))]) {
      for (const secret of [KEY, "gsk_0123456789", "hidden", "user:pass", "of-the-environment"]) expect(shown).not.toContain(secret);
    }
    expect(shownConfig(loaded)).toMatchObject({
      agents: [{ id: "ada", backend: { apiKey: "[REDACTED]" } }, {}],
      ui: { displayType: "simple" },
    });
  });

  it.each(sampleTexts)("names every path once: %#", (yaml) => {
    const paths = explained(yaml).map((value) => value.path);
    expect(paths.length).toBeGreaterThan(30);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe("a path", () => {
  const found = (path: string): readonly string[] => {
    const selection = selectValues(values, path);
    return selection.is === "found" ? selection.values.map((value) => value.path) : [];
  };

  it("gives the value, or all below it", () => {
    expect(found("orchestrator.max_rounds")).toEqual(["orchestrator.max_rounds"]);
    expect(found("ui")).toContain("ui.display_type");
    expect(found("agents[1]")).toContain("agents[1].id");
  });

  it.each(["agents[0].backend.type", "agents.0.backend.type", "agents.ada.backend.type", "agents[ada].backend.type", "agent.backend.type"])(
    "%s is the type of the first agent",
    (path) => expect(found(path)).toEqual(["agents[0].backend.type"]),
  );

  it("finds an agent whose id holds a dot", () => {
    expect(found("agents.bob.jr.backend.type")).toEqual(["agents[1].backend.type"]);
  });

  it("tells a key that is not set from one that is none", () => {
    expect(selectValues(values, "agents[0].backend.top_p")).toMatchObject({ is: "unset", type: "a number" });
    expect(selectValues(values, "orchestrator.voting_sensitvity")).toEqual({ is: "unknown", near: ["orchestrator.voting_sensitivity"] });
    expect(selectValues(values, "max_round")).toEqual({ is: "unknown", near: ["orchestrator.max_rounds"] });
    expect(selectValues(values, "nothing.like.that")).toEqual({ is: "unknown", near: [] });
  });
});
