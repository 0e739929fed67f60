// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { type ConfigOverrides, DEFAULT_SYSTEM_MESSAGE, parseConfig, quickConfig, requireConfig, validateConfig } from "../src/index.js";

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
              "deploymentName": null,
              "extraBody": null,
              "maxIncompleteResponseRetries": 2,
              "maxRetries": 3,
              "maxTokens": null,
              "model": "llama-3.3-70b-versatile",
              "organization": null,
              "params": {},
              "providerName": null,
              "timeoutSeconds": null,
              "type": "groq",
            },
            "id": "a",
            "systemMessage": null,
            "votingSensitivity": "lenient",
          },
          {
            "backend": {
              "apiKey": null,
              "apiVersion": null,
              "baseUrl": null,
              "deploymentName": null,
              "extraBody": null,
              "maxIncompleteResponseRetries": 2,
              "maxRetries": 3,
              "maxTokens": null,
              "model": "x/y",
              "organization": null,
              "params": {},
              "providerName": null,
              "timeoutSeconds": null,
              "type": "openrouter",
            },
            "id": "b",
            "systemMessage": null,
            "votingSensitivity": "lenient",
          },
        ],
        "orchestrator": {
          "answerOrder": "auto",
          "deferPeerUpdatesUntilRestart": false,
          "deferVotingUntilAllAnswered": false,
          "disableInjection": false,
          "fairnessEnabled": true,
          "fairnessLeadCapAnswers": 2,
          "maxMidstreamInjectionsPerRound": 2,
          "maxNewAnswersGlobal": null,
          "maxNewAnswersPerAgent": null,
          "seed": null,
          "singleAgentMode": "auto",
          "stragglerPatience": 2,
          "tieBreak": [
            "peer_votes",
            "confidence",
            "registration_order",
          ],
          "votingSensitivity": "lenient",
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
          "loggingEnabled": true,
        },
      }
    `);
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
              "timeoutSeconds": 12.5,
              "type": "chatcompletion",
            },
            "id": "a",
            "systemMessage": "One.

      Two.",
            "votingSensitivity": "strict",
          },
        ],
        "orchestrator": {
          "answerOrder": "fixed",
          "deferPeerUpdatesUntilRestart": true,
          "deferVotingUntilAllAnswered": false,
          "disableInjection": true,
          "fairnessEnabled": false,
          "fairnessLeadCapAnswers": 0,
          "maxMidstreamInjectionsPerRound": 0,
          "maxNewAnswersGlobal": 9,
          "maxNewAnswersPerAgent": 3,
          "seed": 7,
          "singleAgentMode": "direct",
          "stragglerPatience": 0.5,
          "tieBreak": [
            "latest_answer",
          ],
          "votingSensitivity": "balanced",
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
          "loggingEnabled": false,
        },
      }
    `);
  });

  it("systems texts of agents stand in for the shared bar", () => {
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

describe("forms found in practice", () => {
  it.each([
    ["one agent", "agent: {id: a, backend: {type: groq}}"],
    ["one agent under agents", "agents: {id: a, backend: {type: groq}}"],
    ["agents by name", "agents: {a: {backend: {type: groq}}}"],
    ["an alias of the type in any spelling", "agents: [{id: a, backend: {type: ' GROQ '}}]"],
  ])("%s is a team", (_, yaml) => {
    expect(requireConfig(parseConfig(yaml)).agents).toMatchObject([{ id: "a", backend: { type: "groq" } }]);
  });

  it.each([
    ["Claude Code", "claude_code"],
    ["kimi", "moonshot"],
    ["nim", "nvidia_nim"],
    ["xai", "grok"],
    ["google", "gemini"],
    ["anthropic", "claude"],
    ["Azure-OpenAI", "azure_openai"],
  ])("type %s is %s", (written, type) => {
    expect(requireConfig(validateConfig({ agent: { id: "a", backend: { type: written, model: "m" } } })).agents[0]?.backend.type).toBe(
      type,
    );
  });

  it("display is ui, and ui wins", () => {
    const { ui } = requireConfig(
      validateConfig({
        agents: agents(1),
        display: { type: "simple", logging_enabled: false, live_timeline: true, show_agent_cards: true },
        ui: { type: "silent" },
      }),
    );
    expect(ui).toMatchObject({ displayType: "silent", loggingEnabled: false });
  });

  it("time limits are read in all three places, the proper one first", () => {
    const limit = (more: object) => requireConfig(validateConfig({ agents: agents(1), ...more })).timeouts.orchestratorTimeoutSeconds;
    const other = { timeout: { orchestrator_timeout_seconds: 5 } };
    expect(limit(other)).toBe(5);
    expect(limit({ orchestrator: other })).toBe(5);
    expect(limit({ orchestrator: other, timeout_settings: { orchestrator_timeout_seconds: 6 } })).toBe(6);
  });

  it("task is the question", () => {
    expect(requireConfig(validateConfig({ agents: agents(1), task: "Why?" })).prompt).toBe("Why?");
  });

  it("a model tells its provider and its effort", () => {
    const { config } = validateConfig({ agent: { id: "a", backend: { model: "o3-high" } } });
    expect(config?.agents[0]?.backend).toMatchObject({ type: "openai", model: "o3", params: { reasoning: { effort: "high" } } });
  });

  it("a rate limit file is recognised", () => {
    const { issues } = parseConfig("gemini:\n  default: {rpm: 7}\nopenai:\n  gpt-5: {rpm: 3}\n");
    expect(issues).toMatchObject([{ code: "CFG020", message: "this is a rate limit file, not a team" }]);
  });

  it.each([
    ["{id: '', backend: {type: groq}}", "'id' must not be empty"],
    [`{id: ${"x".repeat(101)}, backend: {type: groq}}`, "'id' has 101 characters; at most 100 are allowed"],
    ['{id: "a\\u001b[2J", backend: {type: groq}}', "'id' holds a control character: 'a�[2J'"],
    ["{id: [a], backend: {type: groq}}", "'id' must be text, found a list"],
    ["groq", "an agent must be a map, found the text 'groq'"],
  ])("agent %s is refused", (agent, message) => {
    expect(parseConfig(`agents: [${agent}]`).issues).toMatchObject([{ code: "CFG026", message }]);
  });
});

describe("variables", () => {
  const message = (text: string, env: Record<string, string> = {}): string | null | undefined =>
    validateConfig({ agent: { id: "a", system_message: text, backend: { type: "groq" } } }, { env }).config?.agents[0]?.systemMessage;

  it.each([
    ["a ${X} b", { X: "1" }, "a 1 b"],
    ["${X}${Y}", { X: "1", Y: "2" }, "12"],
    ["${X:-d}", {}, "d"],
    ["${X:-d}", { X: "" }, "d"],
    ["${X:-}!", {}, "!"],
    ["$${X}", { X: "1" }, "${X}"],
    ["$X ${x y} ${cwd}", { X: "1" }, "$X ${x y} ${cwd}"],
    ["${X}", { X: "${Y}", Y: "2" }, "${Y}"],
  ])("%j with %j is %j", (text, env, expected) => {
    expect(message(text, env as Record<string, string>)).toBe(expected);
  });

  it("keys are never expanded, numbers never produced", () => {
    const { config, issues } = validateConfig(
      { agent: { id: "a", backend: { type: "groq", "${X}": "${X}", temperature: "${X}" } } },
      { env: { X: "1" } },
    );
    expect(config).toBeNull();
    expect(issues).toMatchObject([{ code: "CFG033", message: "'temperature' must be a number, found the text '${X}'" }]);
  });
});

describe("flags", () => {
  const load = (count: number, overrides: ConfigOverrides) =>
    validateConfig({ agents: agents(count), timeout_settings: { orchestrator_timeout_seconds: 5 } }, { overrides });

  it("win over the file", () => {
    const config = requireConfig(
      load(1, {
        orchestratorTimeoutSeconds: 9,
        model: "n",
        baseUrl: "http://localhost:1/v1",
        systemMessage: "Say ${this}.",
        displayType: "simple",
        automationMode: true,
        debug: true,
        loggingEnabled: false,
      }),
    );
    expect(config).toMatchObject({
      timeouts: { orchestratorTimeoutSeconds: 9 },
      agents: [{ systemMessage: "Say ${this}.", backend: { model: "n", baseUrl: "http://localhost:1/v1" } }],
      ui: { displayType: "simple", automationMode: true, debug: true, loggingEnabled: false },
    });
  });

  it("make good what the file lacks", () => {
    expect(
      parseConfig("agent: {id: a, backend: {type: vllm}}", { overrides: { model: "vllm/org/m" } }).config?.agents[0]?.backend.model,
    ).toBe("org/m");
  });

  it("for one agent are a usage error with several (CFG130, exit 2)", () => {
    const loaded = load(2, { model: "n", systemMessage: "x" });
    expect(loaded.issues).toMatchObject([
      { code: "CFG130", message: "the model, system message from the command line fits a config of one agent, and this one has 2" },
    ]);
    expect(() => requireConfig(loaded)).toThrow(expect.objectContaining({ code: "USAGE", exitCode: 2 }));
    expect(load(2, { orchestratorTimeoutSeconds: 3 }).config).not.toBeNull();
  });

  it("answer to the same rules", () => {
    expect(load(1, { orchestratorTimeoutSeconds: -1 }).issues).toMatchObject([
      { code: "CFG082", path: "timeout_settings.orchestrator_timeout_seconds" },
    ]);
  });
});

describe("a quick run", () => {
  it("is a team of one with the default text", () => {
    expect(requireConfig(quickConfig({ model: "groq/llama-3.3-70b-versatile" })).agents).toMatchObject([
      { id: "agent1", systemMessage: DEFAULT_SYSTEM_MESSAGE, backend: { type: "groq", model: "llama-3.3-70b-versatile", baseUrl: null } },
    ]);
  });

  it.each([
    [{ model: "ollama/llama3.2" }, "ollama", "llama3.2"],
    [{ model: "my-model", baseUrl: "http://localhost:8000/v1" }, "chatcompletion", "my-model"],
    [{ backend: "Open Router", model: "openai/gpt-5" }, null, null],
    [{ backend: "openrouter", model: "openai/gpt-5" }, "openrouter", "openai/gpt-5"],
    [{ backend: "groq", model: "groq/m" }, "groq", "m"],
    [{ backend: "qwen" }, "qwen", "qwen-max"],
    [{ backend: "kimi", model: "kimi-k2" }, "moonshot", "kimi-k2"],
    [{ model: "gpt-5-nano" }, "openai", "gpt-5-nano"],
  ])("%j is %s with %s", (options, type, model) => {
    const { config, issues } = quickConfig(options);
    if (type === null) expect(issues).toMatchObject([{ code: "CFG030", hint: expect.stringMatching(/^Did you mean 'openrouter'\?/) }]);
    else expect(config?.agents[0]?.backend).toMatchObject({ type, model });
  });

  it("without a way to the provider says what is near", () => {
    expect(quickConfig({ model: "gtp-5-nano" }).issues).toMatchObject([
      { code: "CFG025", hint: expect.stringMatching(/^Did you mean 'gpt-5-nano'/) },
    ]);
    expect(quickConfig({ backend: "vllm" }).issues).toMatchObject([{ code: "CFG031" }]);
    expect(quickConfig({}).issues).toMatchObject([{ code: "CFG031" }]);
  });

  it("takes texts from the shell as they are", () => {
    expect(quickConfig({ model: "gpt-5", systemMessage: "Use ${NAME} and $${X}." }).config?.agents[0]?.systemMessage).toBe(
      "Use ${NAME} and $${X}.",
    );
  });
});
