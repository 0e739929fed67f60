import type { CoordinationEvent, Recorded } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { openTelemetry, telemetryTarget } from "../src/index.js";
import { attributesOf, openCollector, type Span } from "./collector.js";

const START = Date.UTC(2026, 0, 2, 9, 15, 30);
const SAID = "the cat sat on the mat";

/** A run of two: requests, a retry, a tool that fails, answers, votes, a failure, the presentation. Everything anybody says is `SAID`. */
function facts(): readonly Recorded[] {
  const list: CoordinationEvent[] = [
    {
      type: "run_started",
      question: SAID,
      agents: [
        { id: "ada", anon: "agent1", backend: "claude", model: "claude-sonnet-4-5" },
        { id: "bob", anon: "agent2", backend: "openai", model: "gpt-5-mini" },
      ],
      seed: 1,
      mode: "voting",
    },
    { type: "round_started", agent: "ada", round: 0, kind: "initial", shown: [], tools: ["new_answer"] },
    { type: "round_started", agent: "bob", round: 0, kind: "initial", shown: [], tools: ["new_answer"] },
    {
      type: "llm_call",
      agent: "ada",
      round: 0,
      callId: "c1",
      purpose: "work",
      status: "started",
      ttftMs: null,
      durationMs: null,
      message: null,
    },
    {
      type: "llm_call",
      agent: "ada",
      round: 0,
      callId: "c1",
      purpose: "work",
      status: "retrying",
      ttftMs: null,
      durationMs: null,
      message: SAID,
    },
    {
      type: "llm_call",
      agent: "ada",
      round: 0,
      callId: "c1",
      purpose: "work",
      status: "finished",
      ttftMs: 250,
      durationMs: 2_000,
      message: null,
    },
    { type: "tool_start", agent: "ada", round: 0, callId: "t1", name: "read_file", argsPreview: SAID },
    {
      type: "tool_complete",
      agent: "ada",
      round: 0,
      callId: "t1",
      name: "read_file",
      ok: false,
      durationMs: 40,
      inputChars: 3,
      outputChars: 9,
      resultPreview: SAID,
    },
    {
      type: "usage_recorded",
      agent: "ada",
      round: 0,
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 0, reasoningTokens: 0, costUsd: null },
    },
    {
      type: "answer_submitted",
      agent: "ada",
      round: 0,
      label: "agent1.1",
      content: SAID,
      fingerprint: SAID,
      supersedes: null,
      salvaged: false,
      snapshot: null,
      maxSimilarity: null,
    },
    {
      type: "llm_call",
      agent: "bob",
      round: 0,
      callId: "c2",
      purpose: "work",
      status: "started",
      ttftMs: null,
      durationMs: null,
      message: null,
    },
    {
      type: "llm_call",
      agent: "bob",
      round: 0,
      callId: "c2",
      purpose: "work",
      status: "failed",
      ttftMs: null,
      durationMs: 500,
      message: SAID,
    },
    { type: "agent_failed", agent: "bob", kind: "backend_fatal", message: SAID, fatal: true, lastText: SAID },
    {
      type: "vote_cast",
      agent: "ada",
      round: 1,
      target: "ada",
      targetLabel: "agent1.1",
      reason: SAID,
      confidence: null,
      confidenceDefaulted: false,
      weight: 1,
      coerced: false,
      options: ["agent1.1"],
    },
    {
      type: "winner_selected",
      winner: "ada",
      label: "agent1.1",
      tally: [],
      consensus: "unanimous",
      selection: "votes",
      isTie: false,
      tieBrokenBy: null,
      tieBreakTrace: [],
    },
    { type: "presentation_started", agent: "ada", label: "agent1.1", round: 2, strategy: "winner_present" },
    { type: "presentation_finished", agent: "ada", content: SAID, snapshot: null, fallback: null, partial: SAID },
    { type: "run_finished", status: "completed", winner: "ada", message: SAID },
  ];
  return list.map((fact, place) => ({
    seq: place + 1,
    at: START + place * 1_000,
    runId: "20260102_091530_abcdef",
    decision: place + 1,
    closes: true,
    ...fact,
  }));
}

async function sent(env: Readonly<Record<string, string>>, records = facts()) {
  const collector = await openCollector();
  const warnings: string[] = [];
  const target = telemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  if (target === null) throw new Error("nothing is sent anywhere");
  const telemetry = await openTelemetry({ target, version: "1.2.3", onWarning: (message) => warnings.push(message) });
  const run = telemetry.run();
  for (const record of records) run.record(record);
  await telemetry.close();
  return { ...collector, warnings };
}
const named = (spans: readonly Span[], name: string): readonly Span[] => spans.filter((span) => span.name === name);

describe("spans of a run", () => {
  it("stand below each other: run, rounds of agents, requests and tools, with the times of the facts", async () => {
    const spans = (await sent({})).spans();
    const [run] = named(spans, "invoke_agent massgen");
    const rounds = named(spans, "invoke_agent agent1");
    expect(run).toMatchObject({ startTimeUnixNano: `${START}000000`, endTimeUnixNano: `${START + 17_000}000000` });
    expect(run?.parentSpanId).toBeFalsy();
    expect(rounds.map((round) => attributesOf(round)["massgen.round.kind"])).toEqual(["initial", "presentation"]);
    expect(rounds.every(({ parentSpanId }) => parentSpanId === run?.spanId)).toBe(true);
    expect(named(spans, "chat claude-sonnet-4-5")).toMatchObject([{ parentSpanId: rounds[0]?.spanId, events: [{ name: "retry" }] }]);
    expect(named(spans, "execute_tool read_file")).toMatchObject([{ parentSpanId: rounds[0]?.spanId, status: { code: 2 } }]);
    expect(run?.events.map(({ name }) => name)).toEqual(["massgen.answer", "massgen.vote"]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it("carry the attributes of the conventions for generative AI", async () => {
    const spans = (await sent({})).spans();
    expect(attributesOf(named(spans, "chat claude-sonnet-4-5")[0]!)).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-sonnet-4-5",
      "massgen.purpose": "work",
      "massgen.time_to_first_token": 0.25,
    });
    expect(attributesOf(named(spans, "invoke_agent agent1")[0]!)).toMatchObject({
      "gen_ai.agent.id": "agent1",
      "gen_ai.agent.name": "ada",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "massgen.round.outcome": "answer",
    });
    expect(attributesOf(named(spans, "execute_tool read_file")[0]!)).toMatchObject({
      "gen_ai.tool.name": "read_file",
      "gen_ai.tool.call.id": "t1",
      "error.type": "_OTHER",
    });
    expect(attributesOf(named(spans, "invoke_agent agent2")[0]!)).toMatchObject({
      "error.type": "backend_fatal",
      "massgen.round.outcome": "error",
    });
    expect(attributesOf(named(spans, "invoke_agent massgen")[0]!)).toMatchObject({
      "massgen.winner": "ada",
      "massgen.status": "completed",
      "massgen.run.id": "20260102_091530_abcdef",
    });
  });

  it("hold nothing of what anybody said", async () => {
    const { text, requests } = await sent({});
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(text()).not.toContain("cat");
  });

  it("of a run that breaks off end with what was last heard of", async () => {
    const spans = (await sent({}, facts().slice(0, 4))).spans();
    expect(spans.map(({ name }) => name).sort()).toEqual([
      "chat claude-sonnet-4-5",
      "invoke_agent agent1",
      "invoke_agent agent2",
      "invoke_agent massgen",
    ]);
    expect(spans.every(({ endTimeUnixNano }) => endTimeUnixNano === `${START + 3_000}000000`)).toBe(true);
  });

  it("hang below the span that TRACEPARENT names", async () => {
    const spans = (await sent({ TRACEPARENT: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" })).spans();
    expect(named(spans, "invoke_agent massgen")).toMatchObject([
      { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", parentSpanId: "00f067aa0ba902b7" },
    ]);
  });
});

describe("metrics of a run", () => {
  it("are durations and tokens of requests, by vendor and model", async () => {
    const metrics = (await sent({})).metrics();
    const points = (name: string) => metrics.filter((metric) => metric.name === name).flatMap(({ histogram }) => histogram.dataPoints);
    expect(metrics.map(({ name, unit }) => [name, unit]).sort()).toEqual([
      ["gen_ai.client.operation.duration", "s"],
      ["gen_ai.client.token.usage", "{token}"],
    ]);
    expect(
      points("gen_ai.client.operation.duration").map((point) => [
        point.sum,
        attributesOf(point)["gen_ai.provider.name"],
        attributesOf(point)["error.type"],
      ]),
    ).toEqual([
      [2, "anthropic", undefined],
      [0.5, "openai", "_OTHER"],
    ]);
    expect(points("gen_ai.client.token.usage").map((point) => [attributesOf(point)["gen_ai.token.type"], point.sum])).toEqual([
      ["input", 100],
      ["output", 20],
    ]);
  });
});

describe("where they go", () => {
  it("is nowhere unless an endpoint is set", () => {
    expect(telemetryTarget({})).toBeNull();
    expect(telemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: " " })).toBeNull();
    expect(telemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" })).toBeNull();
    expect(
      telemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }),
    ).toBeNull();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/" }, "http://c:4318/v1/traces", "http://c:4318/v1/metrics"],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" }, "http://t/x", null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m/y" }, "http://c/v1/traces", "http://m/y"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_METRICS_EXPORTER: "none" }, "http://c/v1/traces", null],
  ])("%j", (env, tracesUrl, metricsUrl) => {
    expect(telemetryTarget(env)).toMatchObject({ tracesUrl, metricsUrl });
  });

  it("takes headers, name and attributes from their variables", async () => {
    const { requests, text } = await sent({
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue%20sky",
      OTEL_SERVICE_NAME: "night-run",
      OTEL_RESOURCE_ATTRIBUTES: "deployment=ci",
    });
    expect(requests[0]?.headers["x-team"]).toBe("blue sky");
    for (const part of ["night-run", "deployment", "1.2.3"]) expect(text()).toContain(part);
  });

  it("a collector that refuses costs one warning and nothing else", async () => {
    const collector = await openCollector(400);
    const warnings: string[] = [];
    const telemetry = await openTelemetry({
      target: telemetryTarget({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })!,
      version: "1",
      onWarning: (message) => warnings.push(message),
    });
    const run = telemetry.run();
    for (const record of facts()) run.record(record);
    await telemetry.close();
    expect(warnings).toEqual([expect.stringContaining("the run is not affected")]);
  });
});
