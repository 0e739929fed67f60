import { buildBackend } from "./build-backend.js";
import { buildCustomTools } from "./build-custom-tools.js";
import { buildContextPaths, buildHands } from "./build-hands.js";
import { buildHooks } from "./build-hooks.js";
import { buildServers } from "./build-mcp.js";
import { buildToolChoice } from "./build-tool-choice.js";
import type { AgentConfig, BudgetConfig, DecomposerConfig, MassgenConfig, OrchestratorConfig, TimeoutConfig, UiConfig } from "./config.js";
import { budgetKeys } from "./keys/budget.js";
import { coordinationKeys, decomposerKeys } from "./keys/coordination.js";
import { orchestratorKeys, paraphrasingKeys } from "./keys/orchestrator.js";
import { timeoutKeys, uiKeys } from "./keys/sections.js";
import { votingSensitivity } from "./keys/voting-sensitivity.js";
import { keyReader, readMap, readText } from "./read-key.js";
import type { MapNode } from "./tree.js";

/** The config of a tree without errors, defaults filled in, deeply frozen. */
export function buildConfig(root: MapNode, agents: readonly MapNode[]): MassgenConfig {
  const orchestrator = buildOrchestrator(root, agents.length);
  const prompt = readText(root, "prompt")?.trim() ?? "";
  return freezeDeep({
    agents: agents.map((agent) => buildAgent(root, agent, orchestrator)),
    orchestrator,
    ui: buildUi(readMap(root, "ui")),
    timeouts: buildTimeouts(readMap(root, "timeout_settings")),
    ...(prompt === "" ? {} : { prompt }),
  });
}

function buildAgent(root: MapNode, agent: MapNode, { votingSensitivity: shared }: OrchestratorConfig): AgentConfig {
  const systemMessage = readText(agent, "system_message")?.replace(/[\r\n]+$/, "") ?? "";
  const own = agent.entries.get("voting_sensitivity");
  const sensitivity = own === undefined ? null : votingSensitivity.check(own);
  return {
    id: readText(agent, "id") ?? "",
    backend: buildBackend(readMap(agent, "backend")),
    systemMessage: systemMessage.trim() === "" ? null : systemMessage,
    votingSensitivity: sensitivity?.success ? sensitivity.data : shared,
    subtask: readText(agent, "subtask")?.trim() || null,
    hands: buildHands(readMap(agent, "backend")),
    customTools: buildCustomTools(readMap(agent, "backend")),
    toolChoice: buildToolChoice(readMap(agent, "backend")),
    hooks: buildHooks(root, readMap(agent, "backend")),
    mcpServers: buildServers(readMap(agent, "backend")),
  };
}

function buildOrchestrator(root: MapNode, agentCount: number): OrchestratorConfig {
  const map = readMap(root, "orchestrator");
  const read = keyReader(map, orchestratorKeys);
  const coordination = keyReader(readMap(map, "coordination"), coordinationKeys);
  const legacyDirect = keyReader(readMap(root, "ui"), uiKeys)("use_orchestrator_for_single_agent") === false;
  return {
    votingSensitivity: read("voting_sensitivity") ?? "lenient",
    maxNewAnswersPerAgent: read("max_new_answers_per_agent") ?? null,
    maxNewAnswersGlobal: read("max_new_answers_global") ?? null,
    fairnessEnabled: read("fairness_enabled") ?? true,
    fairnessLeadCapAnswers: read("fairness_lead_cap_answers") ?? 2,
    maxMidstreamInjectionsPerRound: read("max_midstream_injections_per_round") ?? 2,
    disableInjection: read("disable_injection") ?? false,
    deferPeerUpdatesUntilRestart: read("defer_peer_updates_until_restart") ?? false,
    deferVotingUntilAllAnswered: read("defer_voting_until_all_answered") ?? agentCount >= 3,
    // Here null is a value of its own: wait for everybody.
    stragglerPatience: map.entries.has("straggler_patience") ? (read("straggler_patience") ?? null) : 2,
    tieBreak: read("tie_break") ?? ["peer_votes", "confidence", "registration_order"],
    answerOrder: read("answer_order") ?? "auto",
    singleAgentMode: read("single_agent_mode") ?? (legacyDirect ? "direct" : "auto"),
    skipCoordinationRounds: read("skip_coordination_rounds") ?? false,
    skipVoting: read("skip_voting") ?? false,
    finalAnswerStrategy: read("final_answer_strategy") ?? (read("skip_final_presentation") === true ? "winner_reuse" : "winner_present"),
    coordinationMode: read("coordination_mode") ?? "voting",
    presenterAgent: read("presenter_agent") ?? null,
    workflow: read("workflow") ?? "parallel",
    answerNoveltyRequirement: read("answer_novelty_requirement") ?? "lenient",
    maxRounds: read("max_rounds") ?? null,
    convergenceThreshold: read("convergence_threshold") ?? null,
    votingMethod: read("voting_method") ?? "plurality",
    selfVoteWeight: read("self_vote_weight") ?? 1,
    enableRestarts: read("enable_restarts") ?? true,
    restartAfterStagnation: read("restart_after_stagnation") ?? null,
    toolOffering: read("tool_offering") ?? "constant",
    scrubIdentities: read("scrub_identities") ?? false,
    budget: map.entries.has("budget") ? buildBudget(readMap(map, "budget")) : null,
    verify: read("verify")?.trim() || null,
    verifyRequired: read("verify_required") ?? false,
    verifyTimeoutSeconds: read("verify_timeout_seconds") ?? 300,
    contextPaths: buildContextPaths(map),
    snapshotStorage: readText(map, "snapshot_storage")?.trim() || null,
    agentTemporaryWorkspace: readText(map, "agent_temporary_workspace")?.trim() || null,
    twoTierWorkspace: coordination("use_two_tier_workspace") ?? false,
    seed: read("seed") ?? null,
    record: read("record") ?? false,
    maxOrchestrationRestarts: coordination("max_orchestration_restarts") ?? 0,
    debugFinalAnswer: textOrNull(read("debug_final_answer")),
    planningMode: coordination("enable_planning_mode") ?? false,
    planningModeInstruction: textOrNull(coordination("planning_mode_instruction")),
    ...buildParaphrasing(readMap(map, "dspy")),
    decomposer: buildDecomposer(readMap(readMap(map, "coordination"), "task_decomposer")),
  };
}

function buildParaphrasing(map: MapNode): Pick<OrchestratorConfig, "paraphrases" | "paraphraseThreshold"> {
  const read = keyReader(map, paraphrasingKeys);
  return {
    paraphrases: read("enabled") === true ? (read("num_variants") ?? 3) : 0,
    paraphraseThreshold: (read("validate_semantics") ?? true) ? (read("semantic_threshold") ?? 0.85) : null,
  };
}

function buildDecomposer(map: MapNode): DecomposerConfig {
  const read = keyReader(map, decomposerKeys);
  return {
    isEnabled: read("enabled") ?? true,
    guidelines: textOrNull(read("decomposition_guidelines")),
    timeoutSeconds: read("timeout_seconds") ?? 300,
  };
}

/** Older files switch a text off by `false`. */
const textOrNull = (value: string | boolean | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

/** A budget without any limit is none. */
function buildBudget(map: MapNode): BudgetConfig | null {
  const read = keyReader(map, budgetKeys);
  const limits = {
    maxTotalTokens: read("max_total_tokens") ?? null,
    maxTotalCostUsd: read("max_total_cost_usd") ?? null,
    maxLlmCalls: read("max_llm_calls") ?? null,
    maxAgentTokens: read("max_agent_tokens") ?? null,
    maxAgentCostUsd: read("max_agent_cost_usd") ?? null,
    maxRoundCostUsd: read("max_round_cost_usd") ?? null,
  };
  if (Object.values(limits).every((limit) => limit === null)) return null;
  return { ...limits, warnAt: read("warn_at") ?? 0.8, reserveForFinal: read("reserve_for_final") ?? 0.15 };
}

const screens = {
  rich_terminal: "terminal",
  textual_terminal: "terminal",
  rich: "terminal",
  textual: "terminal",
  terminal: "terminal",
  simple: "simple",
  silent: "silent",
  none: "silent",
} as const;

function buildUi(map: MapNode): UiConfig {
  const read = keyReader(map, uiKeys);
  return {
    displayType: screens[read("display_type") ?? "terminal"],
    loggingEnabled: read("logging_enabled") ?? true,
    automationMode: read("automation_mode") ?? false,
    debug: read("debug") ?? false,
    theme: read("theme") ?? null,
    screenReader: read("screen_reader") ?? false,
    liveTimeline: read("live_timeline") ?? true,
    showAgentCards: read("show_agent_cards") ?? true,
  };
}

function buildTimeouts(map: MapNode): TimeoutConfig {
  const read = keyReader(map, timeoutKeys);
  return {
    orchestratorTimeoutSeconds: read("orchestrator_timeout_seconds") ?? 1_800,
    initialRoundTimeoutSeconds: read("initial_round_timeout_seconds") ?? null,
    subsequentRoundTimeoutSeconds: read("subsequent_round_timeout_seconds") ?? null,
    roundTimeoutGraceSeconds: read("round_timeout_grace_seconds") ?? 120,
    finalPresentationTimeoutSeconds: read("final_presentation_timeout_seconds") ?? 600,
    postEvaluationTimeoutSeconds: read("post_evaluation_timeout_seconds") ?? 300,
    agentStallTimeoutSeconds: read("agent_stall_timeout_seconds") ?? 300,
  };
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
