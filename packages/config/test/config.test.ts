import { describe, expect, it } from "vitest";
import { parseConfig, requireConfig, validateConfig } from "../src/index.js";

const agents = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, backend: { type: "openrouter", model: "m" } }));

describe("defaults", () => {
  it("a minimal team gets every value", () => {
    expect(
      requireConfig(parseConfig("agents:\n  - {id: a, backend: {type: groq}}\n  - {id: b, backend: {type: openrouter, model: x/y}}\n")),
    ).toMatchInlineSnapshot(`
      {
        "agents": [
          {
            "backend": {
              "apiKey": null,
              "apiVersion": null,
              "baseUrl": null,
              "circuitBreaker": null,
              "deploymentName": null,
              "extraBody": null,
              "maxIncompleteResponseRetries": 2,
              "maxRetries": 3,
              "maxTokens": null,
              "model": "llama-3.3-70b-versatile",
              "organization": null,
              "params": {},
              "providerName": null,
              "rateLimited": false,
              "timeoutSeconds": null,
              "type": "groq",
            },
            "customTools": [],
            "hands": null,
            "hooks": [],
            "id": "a",
            "mcpServers": [],
            "subtask": null,
            "systemMessage": null,
            "toolChoice": {
              "allowed": null,
              "atOnce": 8,
              "excluded": [],
            },
            "votingSensitivity": "lenient",
          },
          {
            "backend": {
              "apiKey": null,
              "apiVersion": null,
              "baseUrl": null,
              "circuitBreaker": null,
              "deploymentName": null,
              "extraBody": null,
              "maxIncompleteResponseRetries": 2,
              "maxRetries": 3,
              "maxTokens": null,
              "model": "x/y",
              "organization": null,
              "params": {},
              "providerName": null,
              "rateLimited": false,
              "timeoutSeconds": null,
              "type": "openrouter",
            },
            "customTools": [],
            "hands": null,
            "hooks": [],
            "id": "b",
            "mcpServers": [],
            "subtask": null,
            "systemMessage": null,
            "toolChoice": {
              "allowed": null,
              "atOnce": 8,
              "excluded": [],
            },
            "votingSensitivity": "lenient",
          },
        ],
        "orchestrator": {
          "agentTemporaryWorkspace": null,
          "answerNoveltyRequirement": "lenient",
          "answerOrder": "auto",
          "budget": null,
          "contextPaths": [],
          "convergenceThreshold": null,
          "coordinationMode": "voting",
          "debugFinalAnswer": null,
          "decomposer": {
            "guidelines": null,
            "isEnabled": true,
            "timeoutSeconds": 300,
          },
          "deferPeerUpdatesUntilRestart": false,
          "deferVotingUntilAllAnswered": false,
          "disableInjection": false,
          "enableRestarts": true,
          "fairnessEnabled": true,
          "fairnessLeadCapAnswers": 2,
          "finalAnswerStrategy": "winner_present",
          "maxMidstreamInjectionsPerRound": 2,
          "maxNewAnswersGlobal": null,
          "maxNewAnswersPerAgent": null,
          "maxOrchestrationRestarts": 0,
          "maxRounds": null,
          "paraphraseThreshold": 0.85,
          "paraphrases": 0,
          "planningMode": false,
          "planningModeInstruction": null,
          "presenterAgent": null,
          "record": false,
          "restartAfterStagnation": null,
          "scrubIdentities": false,
          "seed": null,
          "selfVoteWeight": 1,
          "singleAgentMode": "auto",
          "skipCoordinationRounds": false,
          "skipVoting": false,
          "snapshotStorage": null,
          "stragglerPatience": 2,
          "tieBreak": [
            "peer_votes",
            "confidence",
            "registration_order",
          ],
          "toolOffering": "constant",
          "twoTierWorkspace": false,
          "verify": null,
          "verifyRequired": false,
          "verifyTimeoutSeconds": 300,
          "votingMethod": "plurality",
          "votingSensitivity": "lenient",
          "workflow": "parallel",
        },
        "timeouts": {
          "agentStallTimeoutSeconds": 300,
          "finalPresentationTimeoutSeconds": 600,
          "initialRoundTimeoutSeconds": null,
          "orchestratorTimeoutSeconds": 1800,
          "postEvaluationTimeoutSeconds": 300,
          "roundTimeoutGraceSeconds": 120,
          "subsequentRoundTimeoutSeconds": null,
        },
        "ui": {
          "automationMode": false,
          "debug": false,
          "displayType": "terminal",
          "liveTimeline": true,
          "loggingEnabled": true,
          "screenReader": false,
          "showAgentCards": true,
          "theme": null,
        },
      }
    `);
  });

  it("a circuit breaker is off unless enabled, and then has every number", () => {
    const breaker = (keys: object) =>
      requireConfig(
        validateConfig({
          agents: [{ id: "a", backend: { type: "chatcompletion", model: "m", base_url: "http://localhost:9/v1", ...keys } }],
        }),
      ).agents[0]?.backend;
    expect(breaker({ llm_circuit_breaker_max_failures: 2 })?.circuitBreaker).toBeNull();
    expect(breaker({ llm_circuit_breaker_enabled: true })).toMatchObject({
      circuitBreaker: {
        maxFailures: 5,
        resetTimeSeconds: 60,
        backoffMultiplier: 2,
        maxBackoffSeconds: 300,
        retryAfterThresholdSeconds: 120,
        retryableStatusCodes: [500, 502, 503, 529],
      },
      params: {},
    });
    const said = {
      llm_circuit_breaker_enabled: true,
      llm_circuit_breaker_max_failures: 1,
      llm_circuit_breaker_reset_time_seconds: 0.5,
      llm_circuit_breaker_backoff_multiplier: 1,
      llm_circuit_breaker_max_backoff_seconds: 2,
      llm_circuit_breaker_retry_after_threshold_seconds: 0,
      llm_circuit_breaker_retryable_status_codes: [504],
    };
    expect(breaker(said)?.circuitBreaker).toEqual({
      maxFailures: 1,
      resetTimeSeconds: 0.5,
      backoffMultiplier: 1,
      maxBackoffSeconds: 2,
      retryAfterThresholdSeconds: 0,
      retryableStatusCodes: [504],
    });
  });

  it("votes wait for all first answers with three agents, not with two, unless said", () => {
    const deferred = (count: number, said?: boolean): boolean =>
      requireConfig(validateConfig({ agents: agents(count), orchestrator: { defer_voting_until_all_answered: said } })).orchestrator
        .deferVotingUntilAllAnswered;
    expect([deferred(1), deferred(2), deferred(3), deferred(3, false), deferred(2, true)]).toEqual([false, false, true, false, true]);
  });

  it("null is a value for patience and caps, and absent everywhere else", () => {
    const { orchestrator, timeouts, ui } = requireConfig(
      validateConfig({
        agents: agents(2),
        orchestrator: { straggler_patience: null, max_new_answers_global: null, fairness_enabled: null },
        timeout_settings: { initial_round_timeout_seconds: null },
        ui: null,
      }),
    );
    expect([
      orchestrator.stragglerPatience,
      orchestrator.maxNewAnswersGlobal,
      orchestrator.fairnessEnabled,
      timeouts.initialRoundTimeoutSeconds,
      ui.loggingEnabled,
    ]).toEqual([null, null, true, null, true]);
  });

  it("the result is frozen to the bottom", () => {
    const config = requireConfig(validateConfig({ agents: [{ id: "a", backend: { type: "groq", extra_body: { a: { b: [1] } } } }] }));
    expect(Object.isFrozen(config.agents[0]?.backend.extraBody?.["a"])).toBe(true);
    expect(Object.isFrozen(config.orchestrator.tieBreak)).toBe(true);
  });
});

describe("values", () => {
  it("reach the config under their names", () => {
    const config = requireConfig(
      parseConfig(
        `
prompt: "  What now?  "
agents:
  - id: a
    system_message: |
      One.

      Two.
    voting_sensitivity: strict
    backend:
      type: " ChatCompletion "
      model: m
      api_key: k-literal
      base_url: " http://localhost:9/v1 "
      temperature: 0
      top_p: 0.5
      max_tokens: 100
      timeout: 12.5
      max_retries: 0
      max_incomplete_response_retries: 1
      extra_body: {a: {b: 1}}
      organization: org
      provider: My Server
      custom_key: {deep: [1, null]}
      nothing: null
      _private: 1
orchestrator:
  voting_sensitivity: balanced
  max_new_answers_per_agent: 3
  max_new_answers_global: 9
  fairness_enabled: false
  fairness_lead_cap_answers: 0
  max_midstream_injections_per_round: 0
  disable_injection: true
  defer_peer_updates_until_restart: true
  straggler_patience: 0.5
  tie_break: [latest_answer]
  answer_order: fixed
  single_agent_mode: direct
  seed: 7
timeout_settings:
  orchestrator_timeout_seconds: 10
  initial_round_timeout_seconds: 2
  subsequent_round_timeout_seconds: 3
  round_timeout_grace_seconds: 0
  final_presentation_timeout_seconds: 4
  post_evaluation_timeout_seconds: 5
  agent_stall_timeout_seconds: 6
ui: {display_type: silent, logging_enabled: false, automation_mode: true, debug: true}
`,
      ),
    );
    expect(config).toMatchInlineSnapshot(`
      {
        "agents": [
          {
            "backend": {
              "apiKey": "k-literal",
              "apiVersion": null,
              "baseUrl": "http://localhost:9/v1",
              "circuitBreaker": null,
              "deploymentName": null,
              "extraBody": {
                "a": {
                  "b": 1,
                },
              },
              "maxIncompleteResponseRetries": 1,
              "maxRetries": 0,
              "maxTokens": 100,
              "model": "m",
              "organization": "org",
              "params": {
                "custom_key": {
                  "deep": [
                    1,
                    null,
                  ],
                },
                "temperature": 0,
                "top_p": 0.5,
              },
              "providerName": "My Server",
              "rateLimited": false,
              "timeoutSeconds": 12.5,
              "type": "chatcompletion",
            },
            "customTools": [],
            "hands": null,
            "hooks": [],
            "id": "a",
            "mcpServers": [],
            "subtask": null,
            "systemMessage": "One.

      Two.",
            "toolChoice": {
              "allowed": null,
              "atOnce": 8,
              "excluded": [],
            },
            "votingSensitivity": "strict",
          },
        ],
        "orchestrator": {
          "agentTemporaryWorkspace": null,
          "answerNoveltyRequirement": "lenient",
          "answerOrder": "fixed",
          "budget": null,
          "contextPaths": [],
          "convergenceThreshold": null,
          "coordinationMode": "voting",
          "debugFinalAnswer": null,
          "decomposer": {
            "guidelines": null,
            "isEnabled": true,
            "timeoutSeconds": 300,
          },
          "deferPeerUpdatesUntilRestart": true,
          "deferVotingUntilAllAnswered": false,
          "disableInjection": true,
          "enableRestarts": true,
          "fairnessEnabled": false,
          "fairnessLeadCapAnswers": 0,
          "finalAnswerStrategy": "winner_present",
          "maxMidstreamInjectionsPerRound": 0,
          "maxNewAnswersGlobal": 9,
          "maxNewAnswersPerAgent": 3,
          "maxOrchestrationRestarts": 0,
          "maxRounds": null,
          "paraphraseThreshold": 0.85,
          "paraphrases": 0,
          "planningMode": false,
          "planningModeInstruction": null,
          "presenterAgent": null,
          "record": false,
          "restartAfterStagnation": null,
          "scrubIdentities": false,
          "seed": 7,
          "selfVoteWeight": 1,
          "singleAgentMode": "direct",
          "skipCoordinationRounds": false,
          "skipVoting": false,
          "snapshotStorage": null,
          "stragglerPatience": 0.5,
          "tieBreak": [
            "latest_answer",
          ],
          "toolOffering": "constant",
          "twoTierWorkspace": false,
          "verify": null,
          "verifyRequired": false,
          "verifyTimeoutSeconds": 300,
          "votingMethod": "plurality",
          "votingSensitivity": "balanced",
          "workflow": "parallel",
        },
        "prompt": "What now?",
        "timeouts": {
          "agentStallTimeoutSeconds": 6,
          "finalPresentationTimeoutSeconds": 4,
          "initialRoundTimeoutSeconds": 2,
          "orchestratorTimeoutSeconds": 10,
          "postEvaluationTimeoutSeconds": 5,
          "roundTimeoutGraceSeconds": 0,
          "subsequentRoundTimeoutSeconds": 3,
        },
        "ui": {
          "automationMode": true,
          "debug": true,
          "displayType": "silent",
          "liveTimeline": true,
          "loggingEnabled": false,
          "screenReader": false,
          "showAgentCards": true,
          "theme": null,
        },
      }
    `);
  });

  it("an agent may have a bar of its own", () => {
    const config = requireConfig(
      validateConfig({
        agents: [{ id: "a", voting_sensitivity: "strict", backend: { type: "groq" } }, ...agents(1)],
        orchestrator: { voting_sensitivity: "balanced" },
      }),
    );
    expect(config.agents.map((agent) => agent.votingSensitivity)).toEqual(["strict", "balanced"]);
  });

  it.each([
    ["rich_terminal", "terminal"],
    ["textual", "terminal"],
    ["terminal", "terminal"],
    ["simple", "simple"],
    ["none", "silent"],
  ])("display %s is the screen %s", (name, screen) => {
    expect(requireConfig(validateConfig({ agents: agents(1), ui: { display_type: name } })).ui.displayType).toBe(screen);
  });

  it("an agent that bypasses the orchestrator answers directly", () => {
    const mode = (ui: unknown, more: object = {}): string =>
      requireConfig(validateConfig({ agents: agents(1), ui, orchestrator: more })).orchestrator.singleAgentMode;
    expect(mode({ use_orchestrator_for_single_agent: false })).toBe("direct");
    expect(mode({ use_orchestrator_for_single_agent: true })).toBe("auto");
    expect(mode({ use_orchestrator_for_single_agent: false }, { single_agent_mode: "auto" })).toBe("auto");
  });

  it("a port is an address for LM Studio", () => {
    const { baseUrl } = requireConfig(validateConfig({ agent: { id: "a", backend: { type: "lmstudio", model: "m", port: 4321 } } }))
      .agents[0]!.backend;
    expect(baseUrl).toBe("http://localhost:4321/v1");
  });

  it("OpenRouter's routing map is sent, a provider's name is not", () => {
    const of = (provider: unknown) =>
      requireConfig(validateConfig({ agent: { id: "a", backend: { type: "openrouter", model: "m", provider } } })).agents[0]!.backend;
    expect(of({ order: ["x"] })).toMatchObject({ providerName: null, params: { provider: { order: ["x"] } } });
    expect(of("Mine")).toMatchObject({ providerName: "Mine", params: {} });
  });
});
